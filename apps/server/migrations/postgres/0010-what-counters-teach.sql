-- What accounting has learned of a device: how much its channels carry, and when each of its counters was first read.
ALTER TABLE devices ADD COLUMN learned jsonb NOT NULL DEFAULT '{}';
