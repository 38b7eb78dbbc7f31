-- Files that go with a mail; they are forgotten as soon as it is sent.
CREATE TABLE mail_attachments (
  mail_id uuid NOT NULL REFERENCES mails (id) ON DELETE CASCADE,
  name text NOT NULL,
  content_type text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (mail_id, name)
);
ALTER TABLE mail_attachments ALTER COLUMN content SET STORAGE EXTERNAL;
