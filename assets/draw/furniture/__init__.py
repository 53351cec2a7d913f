"""Furniture and props: one function each, built in the current frame with the back at y = 0 and the face towards -y."""
