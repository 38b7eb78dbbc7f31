-- An address counts for signing in, and is its account's alone, once its owner has opened the link that was mailed to it.
-- Accounts that somebody in charge makes count as confirmed; who signs up has yet to do it.
ALTER TABLE accounts ADD COLUMN email_confirmed_at timestamptz DEFAULT now();
DROP INDEX accounts_email;
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email)) WHERE deleted_at IS NULL AND email_confirmed_at IS NOT NULL;
CREATE INDEX accounts_email_claimed ON accounts (lower(email)) WHERE deleted_at IS NULL;

CREATE TABLE email_confirmations (
  code_hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The link holds for this address only, not for one that the account takes later.
  email text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX email_confirmations_account ON email_confirmations (account_id);

-- Failed sign-ins, sign-ups and reset requests by what they are counted for. Forgotten after a crash, which harms nobody.
CREATE UNLOGGED TABLE attempts (
  key bytea PRIMARY KEY,
  count integer NOT NULL,
  first_at timestamptz NOT NULL DEFAULT now(),
  last_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX attempts_last ON attempts (last_at);
