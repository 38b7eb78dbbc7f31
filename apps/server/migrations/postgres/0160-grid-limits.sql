-- Who holds the limits at the grid point of a plant: a device by its own controller, or the portal.
CREATE TABLE grid_controls (
  site_id uuid PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  controller text NOT NULL CHECK (controller IN ('device', 'portal')),
  -- Most that may be sold, W.
  export_limit_w integer NOT NULL CHECK (export_limit_w BETWEEN 0 AND 5000000),
  set_by uuid REFERENCES accounts (id) ON DELETE SET NULL,
  set_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX grid_controls_of_portal ON grid_controls (site_id) WHERE controller = 'portal';

-- Every step of the portal's controller with its reason and what it went by.
CREATE TABLE dispatches (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  device_id uuid NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  at timestamptz NOT NULL DEFAULT now(),
  reason text NOT NULL CHECK (reason IN ('free', 'lowered', 'raised', 'shared', 'blind', 'released')),
  -- At the grid point (+ bought), and what all inverters together may give; null where not known.
  grid_w real,
  cap_w real,
  from_percent smallint,
  to_percent smallint NOT NULL CHECK (to_percent BETWEEN 0 AND 100),
  command_id text REFERENCES commands (id) ON DELETE SET NULL
);
CREATE INDEX dispatches_of_site ON dispatches (site_id, at DESC, id DESC);
CREATE INDEX dispatches_by_time ON dispatches (at);
