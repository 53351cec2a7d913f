"""Local models: a model of transformers in a child process of its own, shared by all seats and tables that name it.

`host` is the parent's side (futures, loading, unloading), `child` the process, `loaded` the model in it that generates
for many prompts at once, `constraint` and `masks` restrict its replies to a format, `messages` is what the processes
send each other, `folders` reads what a model's folder tells without loading it. `gguf` serves a GGUF file instead.
Nothing here imports torch before it is needed.
"""
