-- Since when a datalogger tells times that are minutes beside those of the portal.
ALTER TABLE loggers ADD COLUMN clock_wrong_since timestamptz;
CREATE INDEX loggers_of_wrong_clocks ON loggers (clock_wrong_since) WHERE clock_wrong_since IS NOT NULL;
