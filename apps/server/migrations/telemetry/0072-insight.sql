-- A plant's local day against what it could have given. nan = not known. Days that are reckoned anew have a later version.
-- share: what it gave of what it could. reference_wh: what it would have given were all sunlight used at the rated efficiency, IEC 61724-1.
-- heard, daylight: hours with the sun up in which it was heard, of all of these. down: of those heard, when it gave nothing though it could.
-- known, buckets: five minutes of the day with values, of all. reasons: JSON, the likeliest first.
-- basis: sensor, neighbours or clear-sky; empty = nothing to hold it against. missing: what would have to be known for more.

CREATE TABLE site_insight (
  day Date,
  site UInt32,
  version UInt64,
  kwp Float32,
  basis LowCardinality(String),
  actual_wh Float64 DEFAULT nan CODEC(ZSTD(1)),
  expected_wh Float64 DEFAULT nan CODEC(ZSTD(1)),
  loss_wh Float64 DEFAULT nan CODEC(ZSTD(1)),
  loss_money Nullable(Decimal(18, 6)),
  currency LowCardinality(String),
  reference_wh Float64 DEFAULT nan CODEC(ZSTD(1)),
  band_low Float32 DEFAULT nan CODEC(ZSTD(1)),
  band_median Float32 DEFAULT nan CODEC(ZSTD(1)),
  band_high Float32 DEFAULT nan CODEC(ZSTD(1)),
  heard Float32 DEFAULT nan CODEC(ZSTD(1)),
  down Float32 DEFAULT nan CODEC(ZSTD(1)),
  daylight Float32 DEFAULT nan CODEC(ZSTD(1)),
  known UInt16,
  buckets UInt16,
  reason LowCardinality(String),
  reasons String CODEC(ZSTD(1)),
  missing Array(LowCardinality(String))
) ENGINE = ReplacingMergeTree(version) PARTITION BY toYYYYMM(day) ORDER BY (day, site);
