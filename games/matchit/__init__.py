"""MatchIt: two seats, a picture or a grid each; they only talk, and decide whether theirs are the same."""
