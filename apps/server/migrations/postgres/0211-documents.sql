-- Manuals and other documents of devices. A file is nobody's document until it is named: `listed_at`.
CREATE TABLE documents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid REFERENCES accounts (id) ON DELETE SET NULL,
  sent_at timestamptz NOT NULL,
  listed_at timestamptz,
  bytes integer NOT NULL,
  type text NOT NULL DEFAULT 'other',
  name text NOT NULL DEFAULT '',
  language text NOT NULL DEFAULT 'en',
  -- A kind of device, or datalogger; null is all of them.
  product text,
  -- Empty is all models of the kind.
  models text[] NOT NULL DEFAULT '{}',
  video_link text NOT NULL DEFAULT ''
);
CREATE INDEX documents_of_product ON documents (product) WHERE listed_at IS NOT NULL;
CREATE INDEX documents_unlisted ON documents (account_id, sent_at) WHERE listed_at IS NULL;

-- Their bytes in pieces, so that one of 30 MB is never whole in memory to be read.
CREATE TABLE document_parts (
  document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  place integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (document_id, place)
);
-- A PDF is packed already.
ALTER TABLE document_parts ALTER COLUMN content SET STORAGE EXTERNAL;
