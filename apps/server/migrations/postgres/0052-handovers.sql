-- The newest code by which an end user takes over a plant.
CREATE TABLE handovers (
  site_id uuid PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  -- SHA-256 of the code.
  code_hash bytea NOT NULL UNIQUE,
  -- Who gives it: it is good as long as that account may edit the plant. Null: it is not there any more.
  made_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- Who owned the plant when the code was made, null: nobody. It is good as long as that is so.
  owner_before uuid,
  made_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  withdrawn_at timestamptz,
  opened_at timestamptz,
  used_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  -- Who used it signed up by it.
  new_account boolean NOT NULL DEFAULT false,
  used_at timestamptz,
  seen_at timestamptz
);
CREATE INDEX handovers_used_by ON handovers (used_by) WHERE used_by IS NOT NULL;
CREATE INDEX handovers_made_by ON handovers (made_by) WHERE made_by IS NOT NULL;

-- Whoever looks at a handover is told what happens to it: h, and the key of the plant.
CREATE FUNCTION handover_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', 'h' || key) FROM sites WHERE id = NEW.site_id;
  RETURN NULL;
END $$;
CREATE TRIGGER handovers_changed AFTER INSERT OR UPDATE ON handovers FOR EACH ROW EXECUTE FUNCTION handover_changed();

-- A step of it is that the new owner confirms the address.
CREATE FUNCTION handover_email_confirmed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', 'h' || sites.key) FROM handovers JOIN sites ON sites.id = handovers.site_id
    WHERE handovers.used_by = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_email_confirmed AFTER UPDATE OF email_confirmed_at ON accounts
  FOR EACH ROW WHEN (OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL)
  EXECUTE FUNCTION handover_email_confirmed();
