import type { RecordContent, RecordWave } from '@sonnenwarte/contract/fault-records/fault-record';

/** Waves that are drawn over one scale: of one side of the inverter and one unit. */
export interface WaveLane {
  readonly key: string;
  readonly unit: string;
  readonly waves: readonly RecordWave[];
}

/** Times of the samples, ms from the beginning of the fault. */
export const timesOf = ({ before, rateHz, waves }: RecordContent): number[] =>
  Array.from({ length: waves[0]?.values.length ?? 0 }, (_, at) => ((at - before) / rateHz) * 1_000);

/** The lanes in the order in which the record has its channels. */
export function lanesOf({ waves }: Pick<RecordContent, 'waves'>): WaveLane[] {
  const lanes = new Map<string, RecordWave[]>();
  for (const wave of waves) {
    const key = `${wave.variable.split('/')[0]}:${wave.unit}`;
    const lane = lanes.get(key) ?? [];
    lanes.set(key, lane);
    lane.push(wave);
  }
  return [...lanes].map(([key, inLane]) => ({ key, unit: inLane[0]?.unit ?? '', waves: inLane }));
}

/** Nothing of these waves ever moved from nought, in none of the records that have them: there is nothing to draw a scale of. */
export const isNoughtThroughout = (
  { waves }: Pick<WaveLane, 'waves'>,
  records: readonly Pick<RecordContent, 'waves'>[],
): boolean =>
  waves.every(({ variable }) =>
    records.every((record) =>
      record.waves.every((wave) => wave.variable !== variable || wave.values.every((value) => value === 0)),
    ),
  );

/** Place of the sample next to a time. */
export const placeAt = ({ before, rateHz, waves }: RecordContent, ms: number): number =>
  Math.max(0, Math.min((waves[0]?.values.length ?? 1) - 1, Math.round((ms / 1_000) * rateHz) + before));

/** What a wave had at a time; undefined outside of its record. */
export function valueAt(content: RecordContent, variable: string, ms: number): number | undefined {
  const wave = content.waves.find((each) => each.variable === variable);
  const place = Math.round((ms / 1_000) * content.rateHz) + content.before;
  return wave?.values[place];
}

/** A scale that holds all values of a lane, of both records, with some room around them. */
export function rangeOf(values: Iterable<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  const room = Math.max((high - low) * 0.06, Math.abs(high) * 0.001, 0.01);
  return [low - room, high + room];
}
