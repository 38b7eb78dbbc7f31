-- A device goes without the whole table being read; the other index has standing corrections alone.
CREATE INDEX device_corrections_device ON device_corrections (device_id);
