"""The command line, one command a file; cli.main gathers them."""
