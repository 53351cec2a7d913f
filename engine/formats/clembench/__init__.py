"""The layout of clembench results, read and written."""
