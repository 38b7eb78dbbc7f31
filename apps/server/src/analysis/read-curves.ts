import type { ClickHouseClient } from '@clickhouse/client';
import type { Point } from '@sonnenwarte/device-protocol/points/points';
import { type Samples, samplesOf } from '../devices/samples.store.ts';
import { Turns } from '../turns.ts';
import type { PlottedRow } from './analysis.store.ts';
import { Curve, type Drawn, type Told } from './curve.ts';

/** Samples of a device that are held at once: two and a half days at one each five seconds. */
const SAMPLES_AT_ONCE = 43_200;

type Span = Readonly<{ startMs: number; endMs: number }>;

/** Samples of a device in a span, part by part, so that what is held does not follow the span. */
export async function* partsOfSamples(
  telemetry: ClickHouseClient,
  device: Pick<PlottedRow, 'key' | 'kind'>,
  points: readonly Point[],
  { startMs, endMs }: Span,
  most: number = SAMPLES_AT_ONCE,
): AsyncGenerator<Samples> {
  for (let fromMs = startMs; fromMs < endMs; ) {
    const part = await samplesOf(telemetry, device, points, { startMs: fromMs, endMs, most });
    if (part.timesMs.length > 0) yield part;
    if (part.timesMs.length < most) return;
    fromMs = (part.timesMs.at(-1) ?? endMs) + 1;
  }
}

/** The curves of some points of a device. */
export async function curvesOf(
  telemetry: ClickHouseClient,
  device: PlottedRow,
  points: readonly Point[],
  drawn: Drawn,
): Promise<Told[]> {
  const curves = points.map(() => new Curve(drawn));
  const turns = new Turns(1);
  const span = { startMs: drawn.fromMs, endMs: drawn.toMs };
  for await (const { timesMs, values } of partsOfSamples(telemetry, device, points, span)) {
    for (const [place, curve] of curves.entries()) {
      curve.add(timesMs, values[place] ?? []);
      if (turns.isOver) await turns.giveBack();
    }
  }
  return curves.map((curve) => curve.end());
}

/** Lists of times, each once, as distances; and which of them each curve has. */
export function sharedTimes(told: readonly Told[]): { times: number[][]; of: number[] } {
  const lists: (readonly number[])[] = [];
  const of = told.map(({ timesMs }) => {
    const known = lists.findIndex((list) => isSame(list, timesMs));
    return known < 0 ? lists.push(timesMs) - 1 : known;
  });
  return { times: lists.map(distances), of };
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);

const distances = (timesMs: readonly number[]): number[] =>
  timesMs.map((each, at) => (at === 0 ? each : each - (timesMs[at - 1] ?? 0)));
