"""`ludens assets`: sets of pictures, shipped and imported. One file per command."""
