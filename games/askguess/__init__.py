"""Ask-Guess: one holds a word, the other finds it out by asking."""
