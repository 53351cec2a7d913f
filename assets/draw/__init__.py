"""Draws the pictures of assets/ with Blender: `python assets/draw/redraw.py --help`. Never imported by the app."""
