"""TofuKingdom: the Prince asks seven people who the Princess is. Some must tell the truth, some must lie."""
