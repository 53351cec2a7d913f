"""Readers of data sets that users have, each as its publisher lays it out, and what registers their pictures."""
