-- A plant's local day against what it could have given. nan = not known. A day that is reckoned anew has a later version.
-- source: sensor or neighbours; empty = nothing tells of the light. normalised: actual over expected.
-- reference_wh: what the rated power would have given in that light, of days of which the performance ratio is known (IEC 61724-1).
-- available_wh: of what was expected, the part in which every inverter was there to give it. completeness: of the buckets with the sun up.
-- insight: JSON of all that was found (packages/energy/src/insight/day-insight.ts), with the middle half of the neighbours.

CREATE TABLE site_insight (
  day Date,
  site UInt32,
  version UInt64,
  kwp Float32,
  source LowCardinality(String),
  actual_wh Float64 DEFAULT nan CODEC(ZSTD(1)),
  expected_wh Float64 DEFAULT nan CODEC(ZSTD(1)),
  loss_wh Float64 DEFAULT nan CODEC(ZSTD(1)),
  loss_money Nullable(Decimal(18, 6)),
  currency LowCardinality(String),
  reference_wh Float64 DEFAULT nan CODEC(ZSTD(1)),
  available_wh Float64 DEFAULT nan CODEC(ZSTD(1)),
  completeness Float32 DEFAULT nan CODEC(ZSTD(1)),
  reason LowCardinality(String),
  insight String CODEC(ZSTD(1))
) ENGINE = ReplacingMergeTree(version) PARTITION BY toYYYYMM(day) ORDER BY (day, site);
