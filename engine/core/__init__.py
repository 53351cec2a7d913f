"""What happens at a table, without I/O: events, reply formats, games, the GameMaster, views, players, scores."""
