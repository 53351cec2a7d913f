"""Formats in and out: what other programs write and read, and how it stands to our events.

Nothing here knows a game: what a game's files mean elsewhere is said in `games/FAMILY/clembench.py`. The mappings are
documented in docs/formats.md.
"""
