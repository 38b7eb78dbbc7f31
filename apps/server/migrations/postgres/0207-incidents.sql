-- What is told of a device, a datalogger or a plant, one spell after the other, belongs to an incident: one trouble, however often and by however many it is told.
ALTER TABLE alarms
  -- `portal`: found by the portal, which alone ends it; else told by the device.
  ADD COLUMN source text NOT NULL DEFAULT 'device' CHECK (source IN ('device', 'portal')),
  ADD COLUMN incident_id uuid,
  -- Its newest state is in its incident.
  ADD COLUMN folded boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT alarms_check,
  ADD CONSTRAINT alarms_of_something CHECK (num_nonnulls(device_id, logger_id, site_id) > 0);
DROP INDEX alarms_active_device;
CREATE UNIQUE INDEX alarms_active_device ON alarms (device_id, code, source) WHERE until IS NULL AND device_id IS NOT NULL;
CREATE UNIQUE INDEX alarms_active_logger ON alarms (logger_id, code) WHERE until IS NULL AND device_id IS NULL AND logger_id IS NOT NULL;
CREATE UNIQUE INDEX alarms_active_site ON alarms (site_id, code) WHERE until IS NULL AND device_id IS NULL AND logger_id IS NULL;
CREATE INDEX alarms_to_fold ON alarms (since) WHERE NOT folded;
CREATE INDEX alarms_of_incident ON alarms (incident_id, since DESC) WHERE incident_id IS NOT NULL;
CREATE INDEX alarms_ends_of_incident ON alarms (incident_id, until DESC) WHERE incident_id IS NOT NULL;

CREATE TABLE incidents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  code integer NOT NULL,
  level smallint NOT NULL CHECK (level BETWEEN 1 AND 4),
  -- What it is told of: the id of a device, a datalogger or a plant; of an incident at several plants one of its own.
  subject uuid NOT NULL,
  site_id uuid REFERENCES sites (id) ON DELETE CASCADE,
  device_id uuid REFERENCES devices (id) ON DELETE CASCADE,
  logger_id uuid REFERENCES loggers (id) ON DELETE CASCADE,
  -- Of an incident at several plants: country and postcode, and the lowest organisation to which all of them belong.
  region text NOT NULL DEFAULT '',
  organisation_id uuid REFERENCES organisations (id) ON DELETE CASCADE,
  -- What explains it; where that is at several plants, who sees it.
  cause_id uuid REFERENCES incidents (id) ON DELETE SET NULL,
  cause_organisation_id uuid,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'acknowledged', 'cleared', 'closed')),
  since timestamptz NOT NULL,
  until timestamptz,
  -- How often it came, and when last.
  times integer NOT NULL DEFAULT 1,
  last_since timestamptz NOT NULL,
  extra text NOT NULL DEFAULT '',
  acknowledged_at timestamptz,
  acknowledged_by text NOT NULL DEFAULT '',
  muted_until timestamptz,
  muted_by text NOT NULL DEFAULT '',
  mute_reason text NOT NULL DEFAULT '',
  assignee_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- As somebody found.
  cause text NOT NULL DEFAULT '',
  closed_at timestamptz,
  -- What it explains: how many, and at how many plants.
  children integer NOT NULL DEFAULT 0,
  child_plants integer NOT NULL DEFAULT 0,
  -- By itself, Wh, and with what it explains; null = not known.
  own_wh double precision,
  own_money numeric(18, 6),
  lost_wh double precision,
  lost_money numeric(18, 6),
  currency text NOT NULL DEFAULT '',
  reckoned_at timestamptz,
  CHECK ((state IN ('open', 'acknowledged')) = (until IS NULL)),
  CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CHECK (site_id IS NOT NULL OR organisation_id IS NOT NULL)
);
-- One trouble is worked on once.
CREATE UNIQUE INDEX incidents_going_on ON incidents (subject, code) WHERE state <> 'closed';
CREATE INDEX incidents_standing ON incidents (site_id) WHERE state IN ('open', 'acknowledged');
CREATE INDEX incidents_to_close ON incidents (until) WHERE state = 'cleared';
CREATE INDEX incidents_of_site ON incidents (site_id, since DESC);
CREATE INDEX incidents_of_device ON incidents (device_id, since DESC) WHERE device_id IS NOT NULL;
CREATE INDEX incidents_of_cause ON incidents (cause_id) WHERE cause_id IS NOT NULL;
CREATE INDEX incidents_of_assignee ON incidents (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX incidents_of_organisation ON incidents (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE INDEX incidents_of_region ON incidents (region, code) WHERE region <> '' AND state <> 'closed';
-- In whatever order the list is read: all of them, and the few that stand.
CREATE INDEX incidents_by_loss ON incidents (lost_wh DESC NULLS LAST, level DESC, number DESC);
CREATE INDEX incidents_by_loss_up ON incidents (lost_wh, level, number);
CREATE INDEX incidents_by_begin ON incidents (since, level, number);
CREATE INDEX incidents_by_level ON incidents (level, number);
CREATE INDEX incidents_by_times ON incidents (times, level, number);
CREATE INDEX incidents_standing_by_loss ON incidents (lost_wh DESC NULLS LAST, level DESC, number DESC) WHERE state IN ('open', 'acknowledged');
CREATE INDEX incidents_standing_by_loss_up ON incidents (lost_wh, level, number) WHERE state IN ('open', 'acknowledged');
CREATE INDEX incidents_standing_by_begin ON incidents (since, level, number) WHERE state IN ('open', 'acknowledged');
CREATE INDEX incidents_standing_by_level ON incidents (level, number) WHERE state IN ('open', 'acknowledged');
CREATE INDEX incidents_standing_by_times ON incidents (times, level, number) WHERE state IN ('open', 'acknowledged');
CREATE INDEX incidents_by_end ON incidents (until DESC) WHERE state IN ('cleared', 'closed');
CREATE INDEX incidents_of_subject ON incidents (subject, code, since DESC);
CREATE INDEX incidents_of_logger ON incidents (logger_id) WHERE logger_id IS NOT NULL;
CREATE INDEX incidents_of_code ON incidents (code);
-- What was never reckoned.
CREATE INDEX incidents_to_reckon ON incidents (site_id) WHERE reckoned_at IS NULL AND site_id IS NOT NULL;
CREATE INDEX incidents_found ON incidents (code, cause) WHERE cause <> '';

CREATE TABLE incident_entries (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  incident_id uuid NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  actor text NOT NULL DEFAULT '',
  text text NOT NULL DEFAULT '',
  until timestamptz,
  cause text NOT NULL DEFAULT ''
);
CREATE INDEX incident_entries_of ON incident_entries (incident_id, at DESC, id DESC);
CREATE INDEX incident_entries_by ON incident_entries (account_id) WHERE account_id IS NOT NULL;

-- What an incident cost on a local day of its plant.
CREATE TABLE incident_losses (
  incident_id uuid NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  day date NOT NULL,
  wh double precision NOT NULL,
  money numeric(18, 6),
  currency text NOT NULL DEFAULT '',
  PRIMARY KEY (incident_id, day)
);

CREATE INDEX incident_losses_by_day ON incident_losses (day);

ALTER TABLE alarms ADD CONSTRAINT alarms_incident FOREIGN KEY (incident_id) REFERENCES incidents (id) ON DELETE SET NULL;

-- Since when something holds that becomes an alarm only after a while.
CREATE TABLE watched_conditions (
  subject uuid NOT NULL,
  code integer NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (subject, code)
);

-- When it is looked next whether a datalogger or a device is silent, so that only those are read that may be.
CREATE TABLE silence_of_loggers (
  logger_id uuid PRIMARY KEY REFERENCES loggers (id) ON DELETE CASCADE,
  judge_at timestamptz NOT NULL
);
CREATE INDEX silence_of_loggers_due ON silence_of_loggers (judge_at);
CREATE TABLE silence_of_devices (
  device_id uuid PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
  judge_at timestamptz NOT NULL
);
CREATE INDEX silence_of_devices_due ON silence_of_devices (judge_at);
INSERT INTO silence_of_loggers SELECT id, now() + interval '1 hour' * random() FROM loggers;
INSERT INTO silence_of_devices SELECT id, now() + interval '1 hour' * random() FROM devices;

CREATE FUNCTION watch_silence_of_logger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO silence_of_loggers AS s VALUES (NEW.id, now() + CASE WHEN TG_OP = 'INSERT' THEN interval '1 hour' ELSE interval '15 minutes' END)
    ON CONFLICT (logger_id) DO UPDATE SET judge_at = least(s.judge_at, excluded.judge_at);
  RETURN NULL;
END
$$;
CREATE TRIGGER loggers_silence AFTER INSERT ON loggers FOR EACH ROW EXECUTE FUNCTION watch_silence_of_logger();
CREATE TRIGGER loggers_silence_begun AFTER UPDATE OF online ON loggers FOR EACH ROW WHEN (OLD.online AND NOT NEW.online)
  EXECUTE FUNCTION watch_silence_of_logger();
CREATE FUNCTION watch_silence_of_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO silence_of_devices AS s VALUES (NEW.id, now() + CASE WHEN TG_OP = 'INSERT' THEN interval '1 hour' ELSE interval '15 minutes' END)
    ON CONFLICT (device_id) DO UPDATE SET judge_at = least(s.judge_at, excluded.judge_at);
  RETURN NULL;
END
$$;
CREATE TRIGGER devices_silence AFTER INSERT ON devices FOR EACH ROW EXECUTE FUNCTION watch_silence_of_device();
CREATE TRIGGER devices_silence_begun AFTER UPDATE OF online ON devices FOR EACH ROW WHEN (OLD.online AND NOT NEW.online)
  EXECUTE FUNCTION watch_silence_of_device();

-- Joints of counters are told as alarms.
CREATE INDEX device_events_joints ON device_events (ts) WHERE kind IN ('counter-reset', 'counter-replaced', 'counter-wrap');
-- What the portal found and stands is looked at once a minute.
CREATE INDEX alarms_of_portal ON alarms (code) WHERE source = 'portal' AND until IS NULL;

-- An incident goes where its device goes; what stands at a device that gets a plant, or comes back from its deletion, is one.
CREATE FUNCTION move_incidents_of_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.site_id IS NOT NULL AND NEW.site_id IS DISTINCT FROM OLD.site_id THEN
    UPDATE incidents SET site_id = NEW.site_id WHERE device_id = NEW.id AND site_id IS DISTINCT FROM NEW.site_id;
  END IF;
  UPDATE alarms SET folded = false WHERE device_id = NEW.id AND until IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER devices_incidents AFTER UPDATE OF site_id, deleted_at ON devices FOR EACH ROW
  WHEN ((NEW.site_id, NEW.deleted_at) IS DISTINCT FROM (OLD.site_id, OLD.deleted_at)) EXECUTE FUNCTION move_incidents_of_device();

-- What the portal concludes from days makes none of them due again.
DROP TRIGGER alarms_insight ON alarms;
CREATE TRIGGER alarms_insight AFTER INSERT OR UPDATE OF since, until ON alarms FOR EACH ROW WHEN (NEW.site_id IS NOT NULL AND NEW.source = 'device')
  EXECUTE FUNCTION note_insight_of_alarm();

-- What was over a month ago needs no incident; what stands, or was lately, gets one.
UPDATE alarms SET folded = true WHERE until < now() - interval '30 days';
