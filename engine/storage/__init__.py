"""The log in SQLite, with seat links, browsers and what they may see. Every SQL statement of the project is here."""
