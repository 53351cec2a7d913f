"""SpyFall: six players, six words, one of them another. Five look for the one; nobody knows who he is."""
