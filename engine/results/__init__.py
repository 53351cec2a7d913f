"""Results of many episodes: tables, comparisons, ratings, figures and published rows.

The package can be called: `engine.results(…)` is `engine.notebook.read_results(…)`.
"""

from engine.callable_package import make_callable

make_callable(__name__, "engine.notebook", "read_results")
