CREATE TABLE _sqlite_migrations (id INTEGER PRIMARY KEY, migration_set TEXT, name TEXT, applied_at TEXT);
CREATE TABLE admin (browser TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE browser (id TEXT PRIMARY KEY, created INTEGER NOT NULL);
CREATE TABLE condition (id TEXT PRIMARY KEY, what TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE draft (pid TEXT PRIMARY KEY, ask INTEGER NOT NULL, given TEXT NOT NULL, time INTEGER NOT NULL);
CREATE TABLE episode (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, plan_key TEXT UNIQUE, origin TEXT NOT NULL, game TEXT NOT NULL, variant TEXT NOT NULL, experiment TEXT NOT NULL, instance_id TEXT NOT NULL, instance_hash TEXT NOT NULL, seats TEXT NOT NULL, settings TEXT NOT NULL, reprompt INTEGER NOT NULL, people INTEGER NOT NULL, mixed INTEGER NOT NULL DEFAULT 0, start TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'open', cause TEXT, outcome TEXT, created INTEGER NOT NULL, updated INTEGER NOT NULL, scores TEXT, scores_version TEXT);
CREATE INDEX episode_by_game ON episode (game, variant, experiment);
CREATE INDEX episode_by_status ON episode (status, created);
CREATE INDEX episode_finished_of_programs ON episode (updated) WHERE status = 'over' AND people = 0 AND origin IN ('run', 'table');
CREATE INDEX episode_mixed ON episode (id) WHERE mixed;
CREATE INDEX episode_replaying ON episode (id, seats) WHERE instr(seats, '"recorded/');
CREATE INDEX episode_with_people ON episode (people, id, status) WHERE people;
CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, episode INTEGER NOT NULL, n INTEGER NOT NULL, time INTEGER NOT NULL, kind TEXT NOT NULL, seat TEXT, data TEXT NOT NULL, UNIQUE (episode, n));
CREATE TABLE holder (browser TEXT NOT NULL, pid TEXT NOT NULL, since INTEGER NOT NULL, arrived INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (browser, pid)) WITHOUT ROWID;
CREATE INDEX holder_by_pid ON holder (pid);
CREATE UNIQUE INDEX idx__sqlite_migrations_migration_set_name ON _sqlite_migrations (migration_set, name);
CREATE TABLE lease (episode INTEGER PRIMARY KEY, owner TEXT NOT NULL);
CREATE TABLE opened (episode TEXT PRIMARY KEY, browser TEXT NOT NULL, created INTEGER NOT NULL, people INTEGER NOT NULL, pace REAL NOT NULL, token TEXT NOT NULL UNIQUE, chosen INTEGER NOT NULL DEFAULT 1);
CREATE INDEX opened_by_browser ON opened (browser, created);
CREATE TABLE owner (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, what TEXT NOT NULL, beat INTEGER NOT NULL);
CREATE TABLE planned (key TEXT PRIMARY KEY, condition TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE published (episode TEXT NOT NULL, pid TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (episode, pid)) WITHOUT ROWID;
CREATE TABLE result (seq INTEGER PRIMARY KEY AUTOINCREMENT, episode INTEGER NOT NULL UNIQUE, id TEXT NOT NULL, condition TEXT NOT NULL, instance TEXT NOT NULL, ending TEXT NOT NULL, main REAL, sides TEXT, numbers TEXT NOT NULL, marks INTEGER NOT NULL, created INTEGER NOT NULL, version TEXT NOT NULL);
CREATE TABLE sat (browser TEXT NOT NULL, episode TEXT NOT NULL, pid TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (browser, pid)) WITHOUT ROWID;
CREATE INDEX sat_by_episode ON sat (episode);
CREATE TABLE seat (pid TEXT PRIMARY KEY, episode TEXT NOT NULL, seat TEXT NOT NULL, token TEXT NOT NULL UNIQUE, UNIQUE (episode, seat));
CREATE TABLE seat_request (browser TEXT NOT NULL, pid TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (browser, pid)) WITHOUT ROWID;
CREATE TABLE secret (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE seen (browser TEXT NOT NULL, instance_hash TEXT NOT NULL, times INTEGER NOT NULL, PRIMARY KEY (browser, instance_hash)) WITHOUT ROWID;
CREATE TABLE watcher (browser TEXT NOT NULL, episode TEXT NOT NULL, granted INTEGER NOT NULL DEFAULT 0, watched INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (browser, episode)) WITHOUT ROWID;
-- ludens.log: m001_events
-- ludens.log: m002_results
-- ludens.web: m001_links
-- ludens.web: m002_admins
-- ludens.web: m003_published
-- ludens.web: m004_rights
-- ludens.web: m005_lobby
