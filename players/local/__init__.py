"""Local models: a model of transformers in a child process of its own, serving all seats and tables that name it.

`host` is the parent's side (futures, loading, unloading), `child` the process, `loaded` the model in it that generates
for many prompts at once, `constraint` and `masks` hold its replies to a format, `wire` is what both sides say to each
other, `folders` what a model's folder tells without loading it. Nothing here imports torch before it is needed.
"""
