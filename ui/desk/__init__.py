"""The desk: the researcher's page, built from Gradio components in Python."""
