-- How the sums of generation came about: two bits each for those of the running day and month and since the beginning
-- (packages/energy/src/quality.ts). history_percent: how much of a backlog that still comes has been accounted; null = none comes.
ALTER TABLE site_latest
  ADD COLUMN pv_marks smallint NOT NULL DEFAULT 0,
  ADD COLUMN history_percent smallint;
ALTER TABLE device_latest ADD COLUMN today_marks smallint NOT NULL DEFAULT 0;

-- Powers that flow one way only were shown with the sign of a sensor's noise.
UPDATE site_latest SET
  pv_w = CASE WHEN pv_w < 0 THEN 0 ELSE pv_w END,
  external_w = CASE WHEN external_w < 0 THEN 0 ELSE external_w END,
  load_w = CASE WHEN load_w < 0 THEN 0 ELSE load_w END,
  charger_w = CASE WHEN charger_w < 0 THEN 0 ELSE charger_w END
WHERE pv_w < 0 OR external_w < 0 OR load_w < 0 OR charger_w < 0;
UPDATE device_latest SET power_w = 0 FROM devices
WHERE devices.id = device_latest.device_id AND devices.kind IN ('ems', 'pile') AND device_latest.power_w < 0;

-- What of the other generation before recording burnt fuel.
ALTER TABLE site_openings ADD COLUMN fuel_wh double precision;
