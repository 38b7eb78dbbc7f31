-- First readings of a device's lifetime counters: {"pv": [tsMs, wh], ...}, by channel.
ALTER TABLE devices ADD COLUMN opening jsonb NOT NULL DEFAULT '{}';

-- Energies of the time before recording, as the counters of a site's devices told when they were first heard. null = not known.
CREATE TABLE site_openings (
  site_id uuid PRIMARY KEY REFERENCES sites (id) ON DELETE CASCADE,
  pv_wh double precision,
  external_wh double precision,
  load_wh double precision,
  charger_wh double precision,
  charge_wh double precision,
  discharge_wh double precision,
  import_wh double precision,
  export_wh double precision,
  ac_out_wh double precision
);
