"""Playing episodes: finding games and players, plans of many episodes, and the runners that play them.

The package can be called: `engine.play(…)` is `engine.play.runner.play(…)`.
"""

from engine.callable_package import make_callable

make_callable(__name__, "engine.play.runner", "play")
