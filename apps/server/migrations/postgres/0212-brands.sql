-- How the portal looks to who reaches it by a domain, and what is sent to people of an organisation.
CREATE TABLE brand_logos (
  -- SHA-256 of its content, a PNG.
  hash text PRIMARY KEY,
  content bytea NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  sent_at timestamptz NOT NULL
);

CREATE TABLE brands (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  -- As it stands in the Host header: lower case, letters of other scripts as xn--.
  domain text NOT NULL,
  organisation_id uuid REFERENCES organisations (id) ON DELETE SET NULL,
  colour text NOT NULL DEFAULT '' CHECK (colour ~ '^(#[0-9a-f]{6})?$'),
  logo text REFERENCES brand_logos (hash),
  download_link text NOT NULL DEFAULT '',
  app_link text NOT NULL DEFAULT '',
  mail_address text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX brands_domain ON brands (domain);
CREATE UNIQUE INDEX brands_organisation ON brands (organisation_id) WHERE organisation_id IS NOT NULL;
CREATE INDEX brands_logo ON brands (logo) WHERE logo IS NOT NULL;

ALTER TABLE mails ADD COLUMN brand_id uuid REFERENCES brands (id) ON DELETE SET NULL;

-- Every process holds all brands and reads them again when told so.
CREATE FUNCTION tell_brands() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('live', 'brands');
  RETURN NULL;
END $$;
CREATE TRIGGER brands_changed AFTER INSERT OR UPDATE OR DELETE ON brands FOR EACH STATEMENT EXECUTE FUNCTION tell_brands();
