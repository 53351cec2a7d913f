"""Playing episodes: finding games and players, plans of many episodes, and the runners that play them."""
