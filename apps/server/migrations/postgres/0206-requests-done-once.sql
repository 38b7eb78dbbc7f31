-- What somebody asks for under an id of their own making is done once, however often it comes.
CREATE TABLE requests_done (
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  request_id uuid NOT NULL,
  hash text NOT NULL,
  answer text NOT NULL DEFAULT '',
  asked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, request_id)
);
CREATE INDEX requests_done_by_age ON requests_done (asked_at);
