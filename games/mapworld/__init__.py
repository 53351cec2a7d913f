"""Map World: one seat walks through a map it cannot see, explores it, draws it, or looks for a room."""
