"""Studies with people: the study file, what a participant goes through, and which games they are dealt."""
