-- Plants by zone, where a day turns.
CREATE INDEX sites_zone ON sites (time_zone, key) WHERE deleted_at IS NULL;

-- What devices have left in doubt is read when their datalogger connects.
CREATE INDEX device_events_doubts ON device_events (device_id, ts DESC) WHERE detail ? 'neededW';
