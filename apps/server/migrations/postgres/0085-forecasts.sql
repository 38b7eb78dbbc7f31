-- What was told of a day of a plant before it came, as it was told first. What then came is in the rollups.
CREATE TABLE site_forecasts (
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  -- On the plant's clock.
  day date NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  source text NOT NULL CHECK (source IN ('ownSky', 'weather')),
  p10_wh double precision NOT NULL,
  p50_wh double precision NOT NULL,
  p90_wh double precision NOT NULL,
  -- What the weather of the forecast let expect; null by the plant's own days.
  expected_wh double precision,
  PRIMARY KEY (site_id, day)
);
CREATE INDEX site_forecasts_day ON site_forecasts (day);

-- Whose forecast somebody looked at lately: of these, one is kept each day.
CREATE TABLE site_forecast_looks (
  site_id uuid PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  looked_on date NOT NULL
);
CREATE INDEX site_forecast_looks_day ON site_forecast_looks (looked_on);
