"""The command line: one file per command; a folder for each group of commands."""
