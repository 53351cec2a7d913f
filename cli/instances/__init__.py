"""`ludens instances`: make, check and pick instances. One file per command."""
