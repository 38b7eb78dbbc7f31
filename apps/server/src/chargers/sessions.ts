import type { TransactionPart } from './pile-events.ts';
import { counted, type MeterReading, withReadings } from './session-meter.ts';

/** What is known of a session: from all parts that were told of it, in whatever order they came. */
export interface SessionFacts {
  transaction: string;
  connector: number;
  beganMs: number;
  /** Reading of the meter as its beginning told it; undefined while that was not told. */
  beganWh: number | undefined;
  /** Readings of its meter, the oldest first. */
  course: readonly MeterReading[];
  /** Of the newest that was told of it. */
  heardMs: number;
  endedMs: number | undefined;
  reason: string;
}

/** Reason of an end that its pile never told. */
export const INTERRUPTED = 'Interrupted';

/** What is older was kept by the pile while it could not send. */
const FRESH_MS = 120_000;

const least = (...values: (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

const most = (...values: (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

const meterOf = (told: { tsMs: number; wh?: number | undefined } | undefined): MeterReading[] =>
  told?.wh === undefined ? [] : [[told.tsMs, told.wh]];

/**
 * A session with one more part of it. The same parts give the same session in any order and however often they come: piles that were
 * cut off send what they kept, and send again what was not acknowledged.
 */
export function withPart(known: SessionFacts | undefined, transaction: string, part: TransactionPart): SessionFacts {
  const { began, ended, readings } = part;
  const times = [began?.tsMs, ended?.tsMs, ...readings.map(({ tsMs }) => tsMs)];
  const course = readings.flatMap(({ tsMs, energyWh }) => meterOf({ tsMs, wh: energyWh }));
  // An end that was only taken for one gives way to the one that is told, and to what is told of it later.
  const isAssumed = known?.reason === INTERRUPTED;
  const endedMs = isAssumed && ended !== undefined ? ended.tsMs : most(known?.endedMs, ended?.tsMs);
  const isEndTold = ended !== undefined || (endedMs !== undefined && !isAssumed);
  const all = withReadings(known?.course ?? [], [...meterOf(began), ...course, ...meterOf(ended)]);
  return {
    transaction,
    connector: most(known?.connector, part.connector) ?? 1,
    beganMs: least(known?.beganMs, ...times) ?? 0,
    beganWh: least(known?.beganWh, began?.wh),
    // What its meter counts after its end is not of it.
    course: isEndTold && endedMs !== undefined ? all.filter(([tsMs]) => tsMs <= endedMs) : all,
    heardMs: most(known?.heardMs, ...times) ?? 0,
    endedMs,
    reason: (isAssumed && ended !== undefined ? '' : known?.reason) || ended?.reason || '',
  };
}

/**
 * Wh that went into the vehicle from a pile that can give so much, W, as far as is known; undefined where its readings contradict each
 * other. A meter that counts from 0 in each session tells the same.
 */
export const energyOf = ({ course }: SessionFacts, powerW: number): number | undefined =>
  counted(course, powerW).energyWh;

/** A part tells more of a session that was taken for ended: it goes on where that is of now, else it ended with it. */
export function goingOn(facts: SessionFacts, nowMs: number): SessionFacts {
  if (facts.reason !== INTERRUPTED || facts.endedMs === undefined || facts.heardMs <= facts.endedMs) return facts;
  if (nowMs - facts.heardMs > FRESH_MS) return { ...facts, endedMs: facts.heardMs };
  return { ...facts, endedMs: undefined, reason: '' };
}

/** A session that never told its end, ended with the last that was heard of it. */
export const interrupted = (open: SessionFacts): SessionFacts => ({
  ...open,
  endedMs: Math.max(open.heardMs, open.beganMs),
  reason: open.reason || INTERRUPTED,
});

/**
 * A session that never told its end, closed by the beginning of the next on the same connector. What its meter counted meanwhile went into
 * its vehicle, unless the meter counts from 0 in each session.
 */
export function closedByNext(
  open: SessionFacts,
  next: { tsMs: number; wh: number | undefined },
  powerW: number,
): SessionFacts {
  const { atWh } = counted(open.course, powerW);
  const goesOn = next.wh !== undefined && atWh !== undefined && next.wh >= atWh;
  return {
    ...interrupted(open),
    endedMs: Math.min(next.tsMs, Math.max(open.heardMs, open.beganMs)),
    course: goesOn ? withReadings(open.course, meterOf(next)) : open.course,
  };
}
