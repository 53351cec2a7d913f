"""HTTP routes and sockets, one file per page."""
