"""`ludens import`: read episodes and instances of other programs. One file per command."""
