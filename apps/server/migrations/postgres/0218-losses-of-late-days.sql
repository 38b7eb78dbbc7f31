-- A day that is reckoned long after it was (a history came late, a price was mended) is told to the incidents that stood on it: their losses are
-- worked out anew. Newer days are looked at every ten minutes anyway.
CREATE FUNCTION reckon_losses_of_late_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE incidents SET reckoned_at = NULL WHERE id IN (
    SELECT i.id FROM incidents i
    JOIN (
      SELECT d.site_id, d.day::timestamp AT TIME ZONE s.time_zone AS from_at, (d.day + 1)::timestamp AT TIME ZONE s.time_zone AS to_at
      FROM done d JOIN sites s ON s.id = d.site_id WHERE d.day < current_date - 2
    ) late ON late.site_id = i.site_id AND i.since < late.to_at AND (i.until IS NULL OR i.until > late.from_at)
    WHERE i.reckoned_at IS NOT NULL
    ORDER BY i.id FOR UPDATE OF i);
  RETURN NULL;
END $$;
CREATE TRIGGER insight_due_done AFTER DELETE ON insight_due REFERENCING OLD TABLE AS done
  FOR EACH STATEMENT EXECUTE FUNCTION reckon_losses_of_late_days();
