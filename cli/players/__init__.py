"""`ludens players`: list who can play, try a model, install the embedded one. One file per command."""
