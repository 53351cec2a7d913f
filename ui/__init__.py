"""The web app: pages, tables in play, links and routes. One page a file."""
