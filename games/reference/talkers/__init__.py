"""How the scripted players of the reference game speak: facts about an item, and how well an expression fits it."""
