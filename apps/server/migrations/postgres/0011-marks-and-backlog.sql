-- How the sums of generation came about: two bits each for those of the running day and month and since the beginning
-- (packages/energy/src/quality.ts). history_percent: how much of a backlog that still comes has been accounted; null = none comes.
ALTER TABLE site_latest
  ADD COLUMN pv_marks smallint NOT NULL DEFAULT 0,
  ADD COLUMN history_percent smallint;
ALTER TABLE device_latest ADD COLUMN today_marks smallint NOT NULL DEFAULT 0;

-- What of the other generation before recording burnt fuel.
ALTER TABLE site_openings ADD COLUMN fuel_wh double precision;
