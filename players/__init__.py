"""Who can sit at a table: a person, models of several makers, a stored episode. One file a kind of player."""
