"""What several games share: grids, pentomino boards, drawing. Not a game; the one import allowed between games."""
