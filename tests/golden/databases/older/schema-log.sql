CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT);
CREATE TABLE condition (id TEXT PRIMARY KEY, what TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE episode (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, plan_key TEXT UNIQUE, origin TEXT NOT NULL, game TEXT NOT NULL, variant TEXT NOT NULL, experiment TEXT NOT NULL, instance_id TEXT NOT NULL, instance_hash TEXT NOT NULL, seats TEXT NOT NULL, settings TEXT NOT NULL, reprompt INTEGER NOT NULL, people INTEGER NOT NULL, mixed INTEGER NOT NULL DEFAULT 0, start TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'open', cause TEXT, outcome TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL, scores TEXT, scores_version TEXT);
CREATE INDEX episode_by_game ON episode (game, variant, experiment);
CREATE INDEX episode_by_status ON episode (status, created);
CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, episode INTEGER NOT NULL, n INTEGER NOT NULL, time INTEGER NOT NULL, kind TEXT NOT NULL, seat TEXT, data TEXT NOT NULL, UNIQUE (episode, n));
CREATE UNIQUE INDEX idx__sqlite_migrations_migration_set_name ON _sqlite_migrations (migration_set, name);
CREATE TABLE lease (episode INTEGER PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE owner (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, what TEXT NOT NULL, beat INTEGER NOT NULL);
CREATE TABLE planned (key TEXT PRIMARY KEY, condition TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE result (seq INTEGER PRIMARY KEY AUTOINCREMENT, episode INTEGER NOT NULL UNIQUE, id TEXT NOT NULL, condition TEXT NOT NULL, instance TEXT NOT NULL, ending TEXT NOT NULL, main REAL, sides TEXT, numbers TEXT NOT NULL, marks INTEGER NOT NULL, created INTEGER NOT NULL, version TEXT NOT NULL);
CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL);
-- ludens.log: m001_events
-- ludens.log: m002_results
