"""Code that several providers share; not a provider itself. No SDK is imported here."""
