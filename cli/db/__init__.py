"""`ludens db`: check, copy and clean the log. One file per command."""
