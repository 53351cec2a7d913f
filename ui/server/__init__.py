"""The web server: the guard, the Gradio shell, and the process that serves."""
