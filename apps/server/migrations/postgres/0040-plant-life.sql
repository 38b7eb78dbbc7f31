-- A plant is shared with an end user by its owner or who looks after it. Ended by a migration or deletion it stays until that is undone.
ALTER TABLE site_shares
  DROP CONSTRAINT site_shares_pkey,
  ADD COLUMN id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN sets_work_mode boolean NOT NULL DEFAULT false,
  -- As who shared it has called the account: nobody learns an address from a user name.
  ADD COLUMN named_as text NOT NULL DEFAULT '',
  ADD COLUMN given_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  ADD COLUMN given_by_owner boolean NOT NULL DEFAULT false,
  ADD COLUMN given_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN ended_at timestamptz,
  ADD COLUMN ended_by_change uuid;
UPDATE site_shares SET named_as = accounts.username FROM accounts WHERE accounts.id = site_shares.account_id;
CREATE UNIQUE INDEX site_shares_standing ON site_shares (site_id, account_id) WHERE ended_at IS NULL;
CREATE INDEX site_shares_site ON site_shares (site_id);
CREATE INDEX site_shares_given_by ON site_shares (given_by) WHERE given_by IS NOT NULL;
CREATE INDEX site_shares_ended_by ON site_shares (ended_by_change) WHERE ended_by_change IS NOT NULL;

-- Dataloggers that were linked to another plant while theirs was deleted: undoing says which it does not get back.
CREATE TABLE taken_loggers (
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  logger_id uuid NOT NULL REFERENCES loggers (id) ON DELETE CASCADE,
  taken_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (site_id, logger_id)
);
CREATE INDEX taken_loggers_logger ON taken_loggers (logger_id);

-- Beside all plants of an account, chosen plants move, of several owners and to an organisation alone too.
ALTER TABLE account_migrations
  ADD COLUMN kind text NOT NULL DEFAULT 'account' CHECK (kind IN ('account', 'plants')),
  ALTER COLUMN source_account_id DROP NOT NULL,
  ALTER COLUMN target_account_id DROP NOT NULL;

-- How many plants somebody has deleted lately is asked before each deletion.
CREATE INDEX deletions_of_sites ON deletions (deleted_by, deleted_at) WHERE kind = 'site';
