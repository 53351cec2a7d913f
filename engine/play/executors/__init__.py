"""Ways to carry out a run: in worker processes of this machine, or on a Ray cluster."""
