"""The engine: rulebooks, reply formats, events, the GameMaster, players' protocol and the store.

It knows no game, no vendor and no screen, and imports none of the other packages.
"""
