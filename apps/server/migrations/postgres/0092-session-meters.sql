-- A session's energy follows its meter as all counters are followed: by its readings in their order, not by the lowest and the highest
-- ever told. `course`: epoch ms and Wh in turn, the oldest first. An energy that no reading explains is not known.
ALTER TABLE charging_sessions
  ADD COLUMN course double precision[] NOT NULL DEFAULT '{}',
  ALTER COLUMN energy_wh DROP NOT NULL,
  ALTER COLUMN energy_wh DROP DEFAULT;

WITH told AS (
  SELECT session.id,
    floor(extract(epoch FROM session.began_at) * 1000)::float8 AS began_ms,
    floor(extract(epoch FROM greatest(session.began_at, coalesce(session.ended_at, session.heard_at))) * 1000)::float8 AS end_ms,
    coalesce(session.began_wh, session.least_wh) AS from_wh,
    coalesce(session.ended_wh, session.most_wh) AS to_wh,
    -- What the pile can give within that time, with the margin of all counters.
    1.2 * greatest(coalesce(device.rated_power_w, 0), 690 * pile.most_current_a)
      * extract(epoch FROM greatest(session.began_at, coalesce(session.ended_at, session.heard_at)) - session.began_at)::float8 / 3600
      + 200 AS limit_wh
  FROM charging_sessions session
  JOIN charge_points pile ON pile.device_id = session.device_id
  JOIN devices device ON device.id = session.device_id
)
UPDATE charging_sessions session
SET
  course = CASE WHEN told.from_wh BETWEEN 0 AND 4294967296000 THEN ARRAY[told.began_ms, told.from_wh] ELSE '{}' END
    || CASE WHEN told.to_wh BETWEEN 0 AND 4294967296000 THEN ARRAY[told.end_ms, told.to_wh] ELSE '{}' END,
  began_wh = CASE WHEN session.began_wh BETWEEN 0 AND 4294967296000 THEN session.began_wh END,
  energy_wh = CASE
    WHEN session.energy_wh BETWEEN 0 AND told.limit_wh THEN session.energy_wh
    -- Outside of what a register holds the difference may have no value at all.
    WHEN NOT (told.from_wh BETWEEN 0 AND 4294967296000 AND told.to_wh BETWEEN 0 AND 4294967296000) THEN NULL
    WHEN told.to_wh - told.from_wh BETWEEN 0 AND told.limit_wh THEN told.to_wh - told.from_wh
  END
FROM told
WHERE told.id = session.id;

ALTER TABLE charging_sessions DROP COLUMN least_wh, DROP COLUMN most_wh, DROP COLUMN ended_wh;
