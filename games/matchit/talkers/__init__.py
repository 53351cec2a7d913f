"""How the scripted players of MatchIt speak: what they say about their side, ask, and conclude from what was said."""
