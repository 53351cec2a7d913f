"""Results of many episodes: tables, comparisons, ratings, figures and published rows."""
