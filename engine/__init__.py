"""The engine: reply formats, rulebooks' side of the table, GameMaster, event log, views, episodes, runs and scores.

It knows no game, no vendor and no screen, and imports nothing of `games`, `players`, `ui` or `cli`.
"""
