-- What people ask of those who look after their plants, and how it goes on.
CREATE TABLE work_orders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  asked_at timestamptz NOT NULL,
  -- As people say it: WO-2026-000123.
  number text GENERATED ALWAYS AS ('WO-' || extract(year FROM asked_at AT TIME ZONE 'UTC')::integer::text || '-'
    || lpad(sequence::text, greatest(6, length(sequence::text)), '0')) STORED UNIQUE,
  title text NOT NULL,
  category text NOT NULL,
  product text NOT NULL,
  urgent boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'turnedOn' CHECK (state IN ('turnedOn', 'processing', 'upgraded', 'solved', 'closed')),
  -- To whom it belongs: the organisation of its plant, or, where it is about none, of whoever asked.
  organisation_id uuid NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  -- Who has it now: that organisation, or one above it.
  holder_id uuid NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  assignee_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  asked_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  contact text NOT NULL DEFAULT '',
  site_id uuid REFERENCES sites (id) ON DELETE CASCADE,
  device_id uuid REFERENCES devices (id) ON DELETE SET NULL,
  incident_id uuid REFERENCES incidents (id) ON DELETE SET NULL,
  alarm_code integer,
  -- When something was said or done last, by what who asked may read, and by all.
  updated_at timestamptz NOT NULL,
  touched_at timestamptz NOT NULL,
  answer_due_at timestamptz NOT NULL,
  solution_due_at timestamptz NOT NULL,
  answered_at timestamptz,
  waiting boolean NOT NULL DEFAULT false,
  -- Since when its clock stands still, and for how long it did before.
  still_since timestamptz,
  still_ms bigint NOT NULL DEFAULT 0,
  solved_at timestamptz,
  closed_at timestamptz,
  stars smallint CHECK (stars BETWEEN 1 AND 5),
  due_at timestamptz GENERATED ALWAYS AS (
    CASE WHEN still_since IS NULL THEN CASE WHEN answered_at IS NULL THEN answer_due_at ELSE solution_due_at END END) STORED,
  CHECK ((state = 'closed') = (closed_at IS NOT NULL)),
  CHECK (NOT waiting OR state IN ('turnedOn', 'processing', 'upgraded')),
  CHECK ((still_since IS NULL) = (state IN ('turnedOn', 'processing', 'upgraded') AND NOT waiting))
);
CREATE INDEX work_orders_of_organisation ON work_orders (organisation_id, asked_at DESC);
CREATE INDEX work_orders_of_holder ON work_orders (holder_id);
CREATE INDEX work_orders_of_assignee ON work_orders (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX work_orders_of_asker ON work_orders (asked_by, asked_at DESC) WHERE asked_by IS NOT NULL;
CREATE INDEX work_orders_of_site ON work_orders (site_id) WHERE site_id IS NOT NULL;
CREATE INDEX work_orders_of_device ON work_orders (device_id) WHERE device_id IS NOT NULL;
CREATE INDEX work_orders_of_incident ON work_orders (incident_id) WHERE incident_id IS NOT NULL;
-- In whatever order the list is read: all of them, and the few that are open.
CREATE INDEX work_orders_by_due ON work_orders (due_at, sequence);
CREATE INDEX work_orders_by_due_down ON work_orders (due_at DESC NULLS LAST, sequence DESC);
CREATE INDEX work_orders_by_asking ON work_orders (asked_at, sequence);
CREATE INDEX work_orders_by_update ON work_orders (updated_at, sequence);
CREATE INDEX work_orders_by_touch ON work_orders (touched_at, sequence);
CREATE INDEX work_orders_open ON work_orders (organisation_id, due_at, sequence) WHERE state IN ('turnedOn', 'processing', 'upgraded');
CREATE INDEX work_orders_open_by_due ON work_orders (due_at, sequence) WHERE state IN ('turnedOn', 'processing', 'upgraded');
CREATE INDEX work_orders_to_close ON work_orders (updated_at) WHERE state = 'solved';
CREATE INDEX work_orders_worded ON work_orders USING gin (title gin_trgm_ops, number gin_trgm_ops);

-- The thread: what was said and done, never changed.
CREATE TABLE work_order_entries (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  order_id uuid NOT NULL REFERENCES work_orders (id) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  -- For those who work on it alone.
  internal boolean NOT NULL DEFAULT false,
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  actor text NOT NULL DEFAULT '',
  actor_organisation text NOT NULL DEFAULT '',
  side text NOT NULL DEFAULT 'portal' CHECK (side IN ('asker', 'staff', 'portal')),
  text text NOT NULL DEFAULT '',
  given_to text NOT NULL DEFAULT '',
  -- Where it brought the order; null where it left it.
  state text,
  stars smallint,
  held_values jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX work_order_entries_of ON work_order_entries (order_id, sequence);
CREATE INDEX work_order_entries_by ON work_order_entries (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE work_order_pictures (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  -- Both null until it is in an entry.
  order_id uuid REFERENCES work_orders (id) ON DELETE CASCADE,
  entry_id uuid REFERENCES work_order_entries (id) ON DELETE CASCADE,
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  sent_at timestamptz NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  -- JPEG, made by the portal.
  content bytea NOT NULL,
  thumb bytea NOT NULL,
  CHECK ((order_id IS NULL) = (entry_id IS NULL))
);
ALTER TABLE work_order_pictures ALTER content SET STORAGE EXTERNAL, ALTER thumb SET STORAGE EXTERNAL;
CREATE INDEX work_order_pictures_of_entry ON work_order_pictures (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX work_order_pictures_of_order ON work_order_pictures (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX work_order_pictures_unused ON work_order_pictures (sent_at) WHERE entry_id IS NULL;
CREATE INDEX work_order_pictures_by ON work_order_pictures (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE answer_templates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisations (id) ON DELETE CASCADE,
  name text NOT NULL,
  text text NOT NULL
);
CREATE INDEX answer_templates_of ON answer_templates (organisation_id);

-- An order goes where its plant goes. Who has it keeps it only where the new way leads through them.
CREATE FUNCTION move_work_orders_of_site() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  way uuid[] := (SELECT path FROM organisations WHERE id = NEW.organisation_id);
BEGIN
  WITH moved AS (
    UPDATE work_orders SET organisation_id = NEW.organisation_id,
      holder_id = CASE WHEN holder_id = ANY (way) THEN holder_id ELSE NEW.organisation_id END,
      assignee_id = CASE WHEN holder_id = ANY (way) THEN assignee_id END
    WHERE site_id = NEW.id AND organisation_id <> NEW.organisation_id
    RETURNING id, holder_id
  )
  INSERT INTO work_order_entries (order_id, at, kind, given_to)
  SELECT moved.id, now(), 'movedWithPlant', organisations.name FROM moved JOIN organisations ON organisations.id = moved.holder_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER sites_work_orders AFTER UPDATE OF organisation_id ON sites FOR EACH ROW
  WHEN (NEW.organisation_id IS DISTINCT FROM OLD.organisation_id) EXECUTE FUNCTION move_work_orders_of_site();

-- The same where an organisation gets another place in the tree.
CREATE FUNCTION move_work_orders_of_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE work_orders SET holder_id = organisation_id, assignee_id = NULL
    WHERE organisation_id = NEW.id AND NOT holder_id = ANY (NEW.path);
  RETURN NULL;
END
$$;
CREATE TRIGGER organisations_work_orders AFTER UPDATE OF path ON organisations FOR EACH ROW
  WHEN (NEW.path IS DISTINCT FROM OLD.path) EXECUTE FUNCTION move_work_orders_of_organisation();
