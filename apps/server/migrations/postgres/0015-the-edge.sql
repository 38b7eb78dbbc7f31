-- Networks from which somebody has signed in with an account: failures from elsewhere do not hold these up.
CREATE TABLE known_networks (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Hash of account and network.
  network bytea NOT NULL,
  last_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, network)
);
CREATE INDEX known_networks_last ON known_networks (last_at);

-- Calls that the keys of an account have made on a day together: what its quota is counted by.
CREATE TABLE account_calls (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  day date NOT NULL,
  calls integer NOT NULL,
  PRIMARY KEY (account_id, day)
);
INSERT INTO account_calls (account_id, day, calls)
SELECT k.account_id, c.day, sum(c.calls) FROM api_key_calls c JOIN api_keys k ON k.id = c.key_id GROUP BY 1, 2;

-- Which telemetry belongs to this database: its tables hold the same id.
CREATE TABLE installation (
  sole boolean PRIMARY KEY DEFAULT true CHECK (sole),
  id uuid NOT NULL,
  -- The telemetry holds the id; until then a start that was interrupted goes on with it.
  paired boolean NOT NULL DEFAULT false
);
