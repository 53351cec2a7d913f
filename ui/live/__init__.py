"""Tables in play: who sits where, what their pages are sent."""
