-- What devices keep of their faults: told by their lists, and fetched.
CREATE TABLE fault_records (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  device_id uuid NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  -- Number that the device gave it; together with its time it names it, since a memory that was cleared counts from 1 again.
  record_index integer NOT NULL,
  occurred_at timestamptz NOT NULL,
  code integer NOT NULL,
  -- Bytes, as the device says.
  size integer NOT NULL,
  -- Whether it was in the last list of the device.
  on_device boolean NOT NULL DEFAULT true,
  listed_at timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'kept' CHECK (state IN ('kept', 'asked', 'receiving', 'stored', 'failed')),
  failure text NOT NULL DEFAULT '',
  device_code smallint,
  rounds smallint NOT NULL DEFAULT 0,
  -- Of the command that asks for it now.
  batch_id uuid,
  asked_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- When something must have come.
  due_at timestamptz,
  -- What the first part said of the whole.
  sha256 text NOT NULL DEFAULT '',
  part_count smallint,
  parts smallint NOT NULL DEFAULT 0,
  trigger_name text NOT NULL DEFAULT '',
  trigger_value double precision,
  trigger_limit double precision,
  stored_at timestamptz,
  content bytea,
  UNIQUE (device_id, record_index, occurred_at),
  CHECK ((state = 'stored') = (content IS NOT NULL)),
  CHECK ((state = 'stored') = (stored_at IS NOT NULL)),
  CHECK ((state = 'failed') = (failure <> '')),
  CHECK ((state IN ('asked', 'receiving')) = (due_at IS NOT NULL)),
  CHECK (octet_length(content) <= 262144)
);
CREATE INDEX fault_records_by_time ON fault_records (occurred_at DESC, id DESC);
CREATE INDEX fault_records_of_device ON fault_records (device_id, occurred_at DESC, id DESC);
CREATE INDEX fault_records_due ON fault_records (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX fault_records_of_batch ON fault_records (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX fault_records_stored ON fault_records (stored_at) WHERE stored_at IS NOT NULL;
CREATE INDEX fault_records_unseen ON fault_records (listed_at) WHERE stored_at IS NULL;
CREATE INDEX fault_records_of_account ON fault_records (asked_by) WHERE asked_by IS NOT NULL;

-- Parts of records that are being fetched.
CREATE TABLE fault_record_parts (
  record_id uuid NOT NULL REFERENCES fault_records (id) ON DELETE CASCADE,
  number smallint NOT NULL,
  data bytea NOT NULL CHECK (octet_length(data) <= 16384),
  PRIMARY KEY (record_id, number)
);

-- What devices said last of the records that they keep.
CREATE TABLE fault_record_lists (
  device_id uuid PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
  -- The newest of the last list.
  newest integer NOT NULL DEFAULT 0,
  listed integer NOT NULL DEFAULT 0,
  listed_at timestamptz,
  -- Of the command that asks for it now.
  batch_id uuid,
  asked_until timestamptz,
  failure text NOT NULL DEFAULT '',
  device_code smallint
);
CREATE INDEX fault_record_lists_of_batch ON fault_record_lists (batch_id) WHERE batch_id IS NOT NULL;
