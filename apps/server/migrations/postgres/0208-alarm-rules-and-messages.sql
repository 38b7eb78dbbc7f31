-- What an account is told in the portal itself. What it says stands in the phrases of its reader; here is what it is about.
CREATE TABLE messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('alarm', 'workOrder', 'report')),
  event text NOT NULL,
  at timestamptz NOT NULL,
  read_at timestamptz,
  code integer,
  level smallint,
  count integer NOT NULL DEFAULT 1,
  subject text NOT NULL DEFAULT '',
  text text NOT NULL DEFAULT '',
  record_id uuid
);
CREATE INDEX messages_of_account ON messages (account_id, at DESC, id DESC);
CREATE INDEX messages_unread ON messages (account_id) WHERE read_at IS NULL;
CREATE INDEX messages_by_time ON messages (at);

-- What the operator of the platform tells many. Nothing is written for those who are told: each inbox looks which of the few announcements hold for it.
CREATE TABLE announcements (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  "from" timestamptz NOT NULL,
  until timestamptz NOT NULL,
  levels smallint[] NOT NULL,
  -- With all below them; empty = everybody.
  organisation_ids uuid[] NOT NULL DEFAULT '{}',
  -- By language: {title, text}.
  words jsonb NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (until > "from")
);
CREATE INDEX announcements_created_by ON announcements (created_by) WHERE created_by IS NOT NULL;
CREATE TABLE announcement_reads (
  announcement_id uuid NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  read_at timestamptz,
  hidden boolean NOT NULL DEFAULT false,
  PRIMARY KEY (announcement_id, account_id)
);
CREATE INDEX announcement_reads_of_account ON announcement_reads (account_id);

-- Who is told of which incidents, when and by which way.
CREATE TABLE alarm_rules (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  levels smallint[] NOT NULL,
  codes integer[] NOT NULL DEFAULT '{}',
  organisation_id uuid REFERENCES organisations (id) ON DELETE CASCADE,
  site_id uuid REFERENCES sites (id) ON DELETE CASCADE,
  delay_minutes integer NOT NULL CHECK (delay_minutes >= 1),
  channels text[] NOT NULL CHECK (channels <@ '{inbox,email,push,webhook}' AND channels <> '{}'),
  mode text NOT NULL DEFAULT 'atOnce' CHECK (mode IN ('atOnce', 'daily')),
  digest_at text NOT NULL DEFAULT '',
  quiet_from text NOT NULL DEFAULT '',
  quiet_to text NOT NULL DEFAULT '',
  critical_always boolean NOT NULL DEFAULT true,
  tells_end boolean NOT NULL DEFAULT false,
  escalate_minutes integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (mode = 'atOnce' OR digest_at <> ''),
  CHECK ((quiet_from = '') = (quiet_to = ''))
);
CREATE INDEX alarm_rules_of_account ON alarm_rules (account_id);
CREATE INDEX alarm_rules_of_site ON alarm_rules (site_id) WHERE site_id IS NOT NULL;
CREATE INDEX alarm_rules_of_organisation ON alarm_rules (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE TABLE alarm_rule_receivers (
  rule_id uuid NOT NULL REFERENCES alarm_rules (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Told only of what nobody acknowledges.
  escalates boolean NOT NULL DEFAULT false,
  PRIMARY KEY (rule_id, account_id, escalates)
);
CREATE INDEX alarm_rule_receivers_of_account ON alarm_rule_receivers (account_id);

-- Who looks after plants, of an organisation to which countless owners may belong.
CREATE INDEX accounts_operating ON accounts (organisation_id) WHERE level IN (2, 3, 4, 255);

-- One way to somebody, once, with all that comes by it at the time.
CREATE TABLE alarm_deliveries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  batch_id uuid NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  rule_id uuid REFERENCES alarm_rules (id) ON DELETE SET NULL,
  rule_name text NOT NULL,
  channel text NOT NULL,
  channel_id uuid REFERENCES notification_channels (id) ON DELETE SET NULL,
  target text NOT NULL,
  event text NOT NULL,
  incidents integer NOT NULL,
  -- Of the first of them.
  incident_id uuid REFERENCES incidents (id) ON DELETE SET NULL,
  code integer,
  plant text NOT NULL DEFAULT '',
  at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  sent_at timestamptz,
  failure text NOT NULL DEFAULT '',
  mail_id uuid REFERENCES mails (id) ON DELETE SET NULL
);
CREATE INDEX alarm_deliveries_of_account ON alarm_deliveries (account_id, at DESC, id DESC);
CREATE INDEX alarm_deliveries_of_rule ON alarm_deliveries (rule_id, at DESC, id DESC) WHERE rule_id IS NOT NULL;
CREATE INDEX alarm_deliveries_of_incident ON alarm_deliveries (incident_id) WHERE incident_id IS NOT NULL;
CREATE INDEX alarm_deliveries_of_channel ON alarm_deliveries (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX alarm_deliveries_of_mail ON alarm_deliveries (mail_id) WHERE mail_id IS NOT NULL;
CREATE INDEX alarm_deliveries_by_time ON alarm_deliveries (at);
CREATE INDEX alarm_deliveries_of_batch ON alarm_deliveries (batch_id);

-- That somebody is to be told of an incident by a way; once for one rule.
CREATE TABLE alarm_tellings (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  rule_id uuid NOT NULL REFERENCES alarm_rules (id) ON DELETE CASCADE,
  incident_id uuid NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  channel text NOT NULL,
  event text NOT NULL CHECK (event IN ('began', 'escalated', 'ended')),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'told', 'dropped')),
  due_at timestamptz NOT NULL,
  reason text NOT NULL DEFAULT '',
  batch_id uuid,
  told_at timestamptz,
  UNIQUE (incident_id, rule_id, account_id, channel, event),
  CHECK ((state = 'told') = (told_at IS NOT NULL)),
  CHECK ((state = 'dropped') = (reason <> ''))
);
CREATE INDEX alarm_tellings_due ON alarm_tellings (due_at) WHERE state = 'waiting';
CREATE INDEX alarm_tellings_waiting_for ON alarm_tellings (account_id, channel) WHERE state = 'waiting';
CREATE INDEX alarm_tellings_of_batch ON alarm_tellings (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX alarm_tellings_of_rule ON alarm_tellings (rule_id);
CREATE INDEX alarm_tellings_of_account ON alarm_tellings (account_id);

-- Incidents of which it is to be found who is told.
CREATE TABLE incidents_to_tell (
  incident_id uuid PRIMARY KEY REFERENCES incidents (id) ON DELETE CASCADE,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE FUNCTION tell_incident() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'open' THEN
      RETURN NULL;
    END IF;
  ELSIF OLD.state = NEW.state AND NEW.level <= OLD.level AND (OLD.cause_id IS NULL OR NEW.cause_id IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  -- Written anew, so that whoever takes it at this moment leaves it to the next look.
  INSERT INTO incidents_to_tell (incident_id) VALUES (NEW.id) ON CONFLICT (incident_id) DO UPDATE SET at = now();
  RETURN NULL;
END
$$;
CREATE TRIGGER incidents_tell AFTER INSERT OR UPDATE OF state, cause_id, level ON incidents FOR EACH ROW EXECUTE FUNCTION tell_incident();

-- Whoever takes a plant over hears of what stands there.
CREATE FUNCTION tell_incidents_of_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO incidents_to_tell (incident_id)
    SELECT id FROM incidents WHERE site_id = NEW.id AND state = 'open' ORDER BY id
    ON CONFLICT (incident_id) DO UPDATE SET at = now();
  RETURN NULL;
END
$$;
CREATE TRIGGER sites_tell AFTER UPDATE OF organisation_id, owner_account_id ON sites FOR EACH ROW
  WHEN (OLD.organisation_id IS DISTINCT FROM NEW.organisation_id OR OLD.owner_account_id IS DISTINCT FROM NEW.owner_account_id)
  EXECUTE FUNCTION tell_incidents_of_site();

-- Owners and installers are told of what is wrong from their first day on; whoever looks after many says what of it.
CREATE FUNCTION first_alarm_rule() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rule uuid;
BEGIN
  INSERT INTO alarm_rules (account_id, name, levels, delay_minutes, channels)
    VALUES (NEW.id, '', CASE NEW.level WHEN 1 THEN '{2,3,4}'::smallint[] ELSE '{3,4}'::smallint[] END, 15, '{inbox}')
    RETURNING id INTO rule;
  INSERT INTO alarm_rule_receivers (rule_id, account_id) VALUES (rule, NEW.id);
  RETURN NULL;
END
$$;
CREATE TRIGGER accounts_first_alarm_rule AFTER INSERT ON accounts FOR EACH ROW WHEN (NEW.level IN (1, 2)) EXECUTE FUNCTION first_alarm_rule();
WITH rules AS (
  INSERT INTO alarm_rules (account_id, name, levels, delay_minutes, channels)
    SELECT id, '', CASE level WHEN 1 THEN '{2,3,4}'::smallint[] ELSE '{3,4}'::smallint[] END, 15, '{inbox}'
    FROM accounts WHERE level IN (1, 2)
    RETURNING id, account_id
)
INSERT INTO alarm_rule_receivers (rule_id, account_id) SELECT id, account_id FROM rules;
