-- What may be bought at the grid point of a plant is limited beside what may be sold, each held by a device or by the portal.
ALTER TABLE grid_controls
  ALTER COLUMN controller DROP NOT NULL,
  ALTER COLUMN export_limit_w DROP NOT NULL,
  ADD COLUMN peak_controller text CHECK (peak_controller IN ('device', 'portal')),
  -- Most that may be bought, W.
  ADD COLUMN peak_limit_w integer CHECK (peak_limit_w BETWEEN 0 AND 5000000),
  ADD COLUMN peak_set_at timestamptz,
  ADD CHECK ((controller IS NULL) = (export_limit_w IS NULL)),
  ADD CHECK ((peak_controller IS NULL) = (peak_limit_w IS NULL) AND (peak_controller IS NULL) = (peak_set_at IS NULL)),
  ADD CHECK (controller IS NOT NULL OR peak_controller IS NOT NULL);
DROP INDEX grid_controls_of_portal;
CREATE INDEX grid_controls_of_portal ON grid_controls (site_id) WHERE controller = 'portal' OR peak_controller = 'portal';

-- Steps of batteries tell powers instead of percents.
ALTER TABLE dispatches
  ALTER COLUMN to_percent DROP NOT NULL,
  ADD COLUMN from_w real,
  ADD COLUMN to_w real CHECK (to_w >= 0),
  DROP CONSTRAINT dispatches_reason_check,
  ADD CONSTRAINT dispatches_reason_check CHECK (reason IN ('free', 'lowered', 'raised', 'shared', 'blind', 'released',
    'peakBegun', 'peakRaised', 'peakLowered', 'peakShared')),
  ADD CHECK ((to_percent IS NULL) <> (to_w IS NULL));

-- Who has refused the controller of late is told nothing for a while.
CREATE INDEX commands_refused_to_controller ON commands (device_id, done_at) WHERE source = 'ems' AND state IN ('refused', 'differs');
