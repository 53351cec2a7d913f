"""Reports: pages that put together what a log, a study file and the analysis say."""
