-- Samples whose time cannot be known: their clock said before 2020, or what is yet to come. Nothing reads them into a series.
-- told: what the clock said, milliseconds. digest: of the readings, so that the same sample sent twice is one row.

CREATE TABLE raw_unplaced (
  device UInt32,
  told Int64,
  received DateTime64(3, 'UTC'),
  flags UInt8,
  digest UInt64,
  readings String CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree(received) PARTITION BY toYYYYMM(received) ORDER BY (device, told, digest);
