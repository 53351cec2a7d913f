"""The image game: one describes a grid of letters command by command, the other draws it."""
