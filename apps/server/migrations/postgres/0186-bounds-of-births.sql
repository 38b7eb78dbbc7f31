-- What the birth of a plain Sparkplug device lets be written to a setting (`engLow`, `engHigh`, `readOnly` of the metric), in the unit of the setting.
ALTER TABLE device_settings
  ADD COLUMN told_low double precision,
  ADD COLUMN told_high double precision,
  ADD COLUMN told_read_only boolean NOT NULL DEFAULT false;
