-- Who gets the report of each month of a plant by mail.
CREATE TABLE monthly_report_receivers (
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Months that end later are sent.
  since timestamptz NOT NULL,
  PRIMARY KEY (site_id, account_id)
);
CREATE INDEX monthly_report_receivers_of_account ON monthly_report_receivers (account_id);

-- One mail for each plant, month and receiver: without `mailed_at` it was begun and is tried again.
CREATE TABLE monthly_report_mails (
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  month text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  tried_at timestamptz NOT NULL,
  mailed_at timestamptz,
  PRIMARY KEY (site_id, account_id, month)
);
CREATE INDEX monthly_report_mails_of_account ON monthly_report_mails (account_id);
