"""A package, so that no `tests` that some library left in site-packages (llm-katan does) stands in its place."""
