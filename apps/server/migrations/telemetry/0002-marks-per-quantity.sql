-- qualities: two bits for each energy, in the order of packages/energy/src/site-marks.ts (of device_5m: that of its columns):
-- bit 2n = some of it is estimated, bit 2n + 1 = some is corrected. Rows from before have `quality` alone, which was that of all.

ALTER TABLE device_5m
  ADD COLUMN qualities UInt32 DEFAULT multiIf(quality = 1, 1398101, quality = 2, 2796202, 0) CODEC(ZSTD(1)) AFTER quality;

-- fuel_wh: what of external_wh burns fuel; fuel_to_grid_wh: what of external_to_grid_wh does.

ALTER TABLE site_5m
  ADD COLUMN qualities UInt32 DEFAULT multiIf(quality = 1, 87381, quality = 2, 174762, 0) CODEC(ZSTD(1)) AFTER quality,
  ADD COLUMN fuel_wh Float64 DEFAULT nan CODEC(ZSTD(1)) AFTER loss_wh,
  ADD COLUMN fuel_to_grid_wh Float64 DEFAULT nan CODEC(ZSTD(1)) AFTER fuel_wh;

ALTER TABLE site_hour
  ADD COLUMN qualities UInt32 DEFAULT multiIf(quality = 1, 87381, quality = 2, 174762, 0) CODEC(ZSTD(1)) AFTER quality,
  ADD COLUMN fuel_wh Float64 DEFAULT nan CODEC(ZSTD(1)) AFTER loss_wh,
  ADD COLUMN fuel_to_grid_wh Float64 DEFAULT nan CODEC(ZSTD(1)) AFTER fuel_wh;

ALTER TABLE site_day
  ADD COLUMN qualities UInt32 DEFAULT multiIf(quality = 1, 87381, quality = 2, 174762, 0) CODEC(ZSTD(1)) AFTER quality,
  ADD COLUMN fuel_wh Float64 DEFAULT nan CODEC(ZSTD(1)) AFTER loss_wh,
  ADD COLUMN fuel_to_grid_wh Float64 DEFAULT nan CODEC(ZSTD(1)) AFTER fuel_wh;
