-- Views that are seen by all who work in the organisation of who keeps them.
ALTER TABLE saved_views ADD COLUMN shared boolean NOT NULL DEFAULT false;
-- They are looked for by their list, and by the organisation of their account.
CREATE INDEX saved_views_shared ON saved_views (list, account_id) WHERE shared;
