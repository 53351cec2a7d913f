"""Transcripts of one episode, as text for a terminal and as a page."""
