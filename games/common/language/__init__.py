"""The language library of all scripted players: tokens, a lexicon, a chunker, claims and questions, and evidence."""
