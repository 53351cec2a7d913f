"""Import and export: how the files of other programs map to our events.

Nothing here knows a game; `games/FAMILY/clembench.py` maps a game's files. docs/formats.md documents all formats.
"""
