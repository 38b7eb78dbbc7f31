-- The session from which a view was begun: it ends with it.
ALTER TABLE sessions ADD COLUMN view_parent_id uuid REFERENCES sessions (id) ON DELETE CASCADE;
CREATE INDEX sessions_view_parent ON sessions (view_parent_id) WHERE view_parent_id IS NOT NULL;
-- Of views begun before nobody knows from which session.
UPDATE sessions SET ended_at = now(), ended_because = 'viewWithoutParent'
  WHERE view_level IS NOT NULL AND ended_at IS NULL;
