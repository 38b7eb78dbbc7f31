-- What few rows of many say: which devices deviate from what was set, and of which plants a history is coming. Lists and numbers of devices ask for them
-- each time, and read all rows for it. Both change seldom, so that newest values are still written without a look at an index.
CREATE INDEX device_listed_deviating ON device_listed (kind) WHERE drifts > 0 AND NOT deleted;
CREATE INDEX site_latest_backlog ON site_latest (site_id) WHERE history_percent IS NOT NULL;
