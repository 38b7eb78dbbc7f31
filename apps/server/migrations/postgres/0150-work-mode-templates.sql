-- Plans kept as templates: of an organisation, for it and those below it, or of an end user alone.
CREATE TABLE work_mode_templates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid REFERENCES organisations (id) ON DELETE CASCADE,
  account_id uuid REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 64),
  -- {"mode": ..., "minSoc": ..., "periods": [...], "pricePeriods": [...]}
  content jsonb NOT NULL,
  created_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((organisation_id IS NULL) <> (account_id IS NULL))
);
CREATE UNIQUE INDEX work_mode_templates_names ON work_mode_templates (coalesce(organisation_id, account_id), lower(name));
CREATE INDEX work_mode_templates_of_organisation ON work_mode_templates (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE INDEX work_mode_templates_of_account ON work_mode_templates (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX work_mode_templates_by ON work_mode_templates (created_by) WHERE created_by IS NOT NULL;
