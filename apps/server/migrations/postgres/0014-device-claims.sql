-- Nobody told the kind of the device, and nothing of it is stored: the first that tells it, decides.
ALTER TABLE devices ADD COLUMN kind_guessed boolean NOT NULL DEFAULT false;

-- By which serial number its logger names a device, where that is not its own: another logger names one of its devices so too.
ALTER TABLE devices ADD COLUMN told_sn text;

-- The provisioning key that let a logger in.
ALTER TABLE loggers ADD COLUMN provisioned_by bytea REFERENCES provisioning_keys (key_hash);
CREATE INDEX loggers_provisioned ON loggers (provisioned_by, created_at) WHERE provisioned_by IS NOT NULL;

-- A serial number that two loggers claim. What the claiming logger tells is recorded under a device of its own, which is in no plant
-- and counts as deleted until somebody decides.
CREATE TABLE device_claims (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  sn text NOT NULL,
  holder_id uuid NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  claimant_id uuid NOT NULL UNIQUE REFERENCES devices (id) ON DELETE CASCADE,
  -- kept: the number stays with its holder, the other is refused; released: it goes to the claimant; separate: they are two devices.
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'kept', 'released', 'separate')),
  claimed_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  decided_by uuid REFERENCES accounts (id) ON DELETE SET NULL
);
CREATE INDEX device_claims_holder ON device_claims (holder_id);
