-- What was announced to the Home Assistant of an account: taken back there once it is out of the account's scope, be it connected now or later.
CREATE TABLE home_assistant_devices (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  sn text NOT NULL,
  PRIMARY KEY (account_id, sn)
);
