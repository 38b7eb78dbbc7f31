import type { JsonFailure } from '@sonnenwarte/device-protocol/json/json-onramp';
import type { DecodeFailure } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';

/** Why something that a datalogger sent was not taken, or not taken as it was meant. Each is a label of `ingest_rejected_total`. */
export const refusalReasons = [
  // Whole messages.
  'unknown-logger',
  'topic',
  'internal',
  'truncated',
  'malformed',
  'unsupported',
  'too-large',
  'not-json',
  'bad-shape',
  'no-birth',
  'overloaded',
  'over-budget',
  // Devices and samples.
  'bad-time',
  'bad-device',
  'bad-kind',
  'kind-changed',
  'too-many-devices',
  'too-many-samples',
  'too-many-claims',
  'device-of-another-logger',
  'empty-sample',
  'impossible-time',
  // Values and alarms.
  'unknown-alias',
  'bad-name',
  'bad-value',
  'null-value',
  'text-cut',
  'too-many-names',
  'too-many-others',
  'bad-alarm',
  'too-many-alarms',
  'historical-alarm',
  // Of the session.
  'sequence-gap',
  'clock-skew',
  'stale-birth',
  // Of the store.
  'row-refused',
  'store-error',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** Every failure of the two decoders is a reason. */
export const reasonOfFailure = (failure: JsonFailure | DecodeFailure): RefusalReason => failure;
