-- What a day is held against may change long after it is over: where the plant's roofs lie, its prices, its devices, alarms that are told late.
-- Its days are then due again, wherever that is written.

-- Days of a plant between two times, as far as days of its zone were reckoned. null = as far as there are any.
CREATE FUNCTION insight_due_between(site uuid, from_at timestamptz, until_at timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO insight_due (site_id, day, noted_at)
    SELECT sites.id, told::date, now()
    FROM sites JOIN insight_turns AS turns ON turns.time_zone = sites.time_zone
      CROSS JOIN LATERAL generate_series(
        greatest(turns.filled_to, (from_at AT TIME ZONE sites.time_zone)::date)::timestamp,
        least(turns.day, (until_at AT TIME ZONE sites.time_zone)::date)::timestamp, '1 day') AS told
    WHERE sites.id = site AND sites.deleted_at IS NULL
    ON CONFLICT (site_id, day) DO UPDATE SET noted_at = excluded.noted_at
$$;

CREATE FUNCTION note_insight_of_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM insight_due_between(NEW.id, NULL, NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER sites_insight AFTER UPDATE OF latitude, longitude, altitude_m, system_size_kwp, rated_power_w, arrays, grid_connected_on, commissioned_on,
    time_zone, feed_in_price, purchase_price, feed_in_periods, purchase_periods, currency ON sites FOR EACH ROW
  WHEN ((OLD.latitude, OLD.longitude, OLD.altitude_m, OLD.system_size_kwp, OLD.rated_power_w, OLD.arrays, OLD.grid_connected_on, OLD.commissioned_on,
      OLD.time_zone, OLD.feed_in_price, OLD.purchase_price, OLD.feed_in_periods, OLD.purchase_periods, OLD.currency)
    IS DISTINCT FROM (NEW.latitude, NEW.longitude, NEW.altitude_m, NEW.system_size_kwp, NEW.rated_power_w, NEW.arrays, NEW.grid_connected_on,
      NEW.commissioned_on, NEW.time_zone, NEW.feed_in_price, NEW.purchase_price, NEW.feed_in_periods, NEW.purchase_periods, NEW.currency))
  EXECUTE FUNCTION note_insight_of_site();

-- A price holds from its time on until the next.
CREATE FUNCTION note_insight_of_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM insight_due_between(coalesce(NEW.site_id, OLD.site_id), least(NEW.valid_from, OLD.valid_from), NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER site_prices_insight AFTER INSERT OR UPDATE OR DELETE ON site_prices FOR EACH ROW
  EXECUTE FUNCTION note_insight_of_price();

-- Only those that tell how much light there was, what was given, or where it was held back. One that is new has told nothing yet.
CREATE FUNCTION note_insight_of_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM insight_due_between(site, NULL, NULL)
    FROM unnest(ARRAY[NEW.site_id, CASE WHEN OLD.site_id IS DISTINCT FROM NEW.site_id THEN OLD.site_id END]) AS site WHERE site IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER devices_insight AFTER UPDATE OF site_id, deleted_at, kind, rated_power_w ON devices FOR EACH ROW
  WHEN (NEW.kind IN ('inverter', 'station', 'ems') AND (OLD.site_id, OLD.deleted_at, OLD.kind, OLD.rated_power_w)
    IS DISTINCT FROM (NEW.site_id, NEW.deleted_at, NEW.kind, NEW.rated_power_w))
  EXECUTE FUNCTION note_insight_of_device();

-- An alarm that comes or goes now changes no day that was reckoned, which is done two hours after its end at the earliest; one that is told late, or by another
-- time, does.
CREATE FUNCTION note_insight_of_alarm() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was_since timestamptz := CASE WHEN TG_OP = 'UPDATE' THEN OLD.since ELSE coalesce(NEW.until, now()) END;
  was_until timestamptz := CASE WHEN TG_OP = 'UPDATE' THEN coalesce(OLD.until, now()) ELSE coalesce(NEW.until, now()) END;
BEGIN
  IF was_since <> NEW.since AND least(was_since, NEW.since) < now() - interval '2 hours' THEN
    PERFORM insight_due_between(NEW.site_id, least(was_since, NEW.since), greatest(was_since, NEW.since));
  END IF;
  IF was_until <> coalesce(NEW.until, now()) AND least(was_until, NEW.until) < now() - interval '2 hours' THEN
    PERFORM insight_due_between(NEW.site_id, least(was_until, NEW.until), greatest(was_until, coalesce(NEW.until, now())));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_insight AFTER INSERT OR UPDATE OF since, until ON alarms FOR EACH ROW WHEN (NEW.site_id IS NOT NULL)
  EXECUTE FUNCTION note_insight_of_alarm();

-- Strings of dull days were not told apart by what was reckoned so far: the week that is shown is made anew.
INSERT INTO insight_due (site_id, day, noted_at)
  SELECT sites.id, told::date, 'epoch'
  FROM sites JOIN insight_turns AS turns ON turns.time_zone = sites.time_zone
    CROSS JOIN LATERAL generate_series(turns.day - 7, turns.day::timestamp, '1 day') AS told
  WHERE sites.deleted_at IS NULL
  ON CONFLICT (site_id, day) DO NOTHING;
