"""The players at a table: people, models of several providers, stored episodes. One file per kind of player."""
