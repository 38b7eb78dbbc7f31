-- Whoever keeps the documents sees from how many devices each is found.
CREATE INDEX devices_model ON devices (lower(model), kind) WHERE deleted_at IS NULL;
CREATE INDEX loggers_model ON loggers (lower(model));
