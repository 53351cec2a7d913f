"""The reference game: a speaker describes one of three pictures or grids, a listener picks the one that is meant."""
