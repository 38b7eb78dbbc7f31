-- estimated_<energy>_wh: what of an energy is estimated; nan = not known. Rows from before know it only where the energy has no such mark
-- (`qualities`, two bits for each energy in the order of packages/energy/src/accounting/site-marks.ts).
-- paid: what the energy cost that was bought; null = not known.

ALTER TABLE site_5m
  ADD COLUMN estimated_pv_wh Float64 DEFAULT if(bitTest(qualities, 0) AND isFinite(pv_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_external_wh Float64 DEFAULT if(bitTest(qualities, 2) AND isFinite(external_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_load_wh Float64 DEFAULT if(bitTest(qualities, 4) AND isFinite(load_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_charger_wh Float64 DEFAULT if(bitTest(qualities, 6) AND isFinite(charger_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_charge_wh Float64 DEFAULT if(bitTest(qualities, 8) AND isFinite(charge_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_discharge_wh Float64 DEFAULT if(bitTest(qualities, 10) AND isFinite(discharge_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_import_wh Float64 DEFAULT if(bitTest(qualities, 12) AND isFinite(import_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_export_wh Float64 DEFAULT if(bitTest(qualities, 14) AND isFinite(export_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_ac_out_wh Float64 DEFAULT if(bitTest(qualities, 16) AND isFinite(ac_out_wh), nan, 0) CODEC(ZSTD(1));

ALTER TABLE site_hour
  ADD COLUMN estimated_pv_wh Float64 DEFAULT if(bitTest(qualities, 0) AND isFinite(pv_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_external_wh Float64 DEFAULT if(bitTest(qualities, 2) AND isFinite(external_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_load_wh Float64 DEFAULT if(bitTest(qualities, 4) AND isFinite(load_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_charger_wh Float64 DEFAULT if(bitTest(qualities, 6) AND isFinite(charger_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_charge_wh Float64 DEFAULT if(bitTest(qualities, 8) AND isFinite(charge_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_discharge_wh Float64 DEFAULT if(bitTest(qualities, 10) AND isFinite(discharge_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_import_wh Float64 DEFAULT if(bitTest(qualities, 12) AND isFinite(import_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_export_wh Float64 DEFAULT if(bitTest(qualities, 14) AND isFinite(export_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_ac_out_wh Float64 DEFAULT if(bitTest(qualities, 16) AND isFinite(ac_out_wh), nan, 0) CODEC(ZSTD(1));

ALTER TABLE site_day
  ADD COLUMN estimated_pv_wh Float64 DEFAULT if(bitTest(qualities, 0) AND isFinite(pv_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_external_wh Float64 DEFAULT if(bitTest(qualities, 2) AND isFinite(external_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_load_wh Float64 DEFAULT if(bitTest(qualities, 4) AND isFinite(load_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_charger_wh Float64 DEFAULT if(bitTest(qualities, 6) AND isFinite(charger_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_charge_wh Float64 DEFAULT if(bitTest(qualities, 8) AND isFinite(charge_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_discharge_wh Float64 DEFAULT if(bitTest(qualities, 10) AND isFinite(discharge_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_import_wh Float64 DEFAULT if(bitTest(qualities, 12) AND isFinite(import_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_export_wh Float64 DEFAULT if(bitTest(qualities, 14) AND isFinite(export_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN estimated_ac_out_wh Float64 DEFAULT if(bitTest(qualities, 16) AND isFinite(ac_out_wh), nan, 0) CODEC(ZSTD(1)),
  ADD COLUMN paid Nullable(Decimal(18, 6));
