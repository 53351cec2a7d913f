"""The games, one folder a family, and games.common for what several share.

A game imports the engine and games.common, never another game.
"""
