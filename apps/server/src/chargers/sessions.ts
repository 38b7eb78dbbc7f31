import type { TransactionPart } from './pile-events.ts';

/** What is known of a session: from all parts that were told of it, in whatever order they came. */
export interface SessionFacts {
  transaction: string;
  connector: number;
  beganMs: number;
  /** Reading of the meter as its beginning told it; undefined while that was not told. */
  beganWh: number | undefined;
  leastWh: number | undefined;
  mostWh: number | undefined;
  /** Of the newest that was told of it. */
  heardMs: number;
  endedMs: number | undefined;
  endedWh: number | undefined;
  reason: string;
}

const least = (...values: (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

const most = (...values: (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/**
 * A session with one more part of it. The same parts give the same session in any order and however often they come: piles that were
 * cut off send what they kept, and send again what was not acknowledged.
 */
export function withPart(known: SessionFacts | undefined, transaction: string, part: TransactionPart): SessionFacts {
  const { began, ended, readings } = part;
  const times = [began?.tsMs, ended?.tsMs, ...readings.map(({ tsMs }) => tsMs)];
  const registers = readings.map(({ energyWh }) => energyWh);
  return {
    transaction,
    connector: most(known?.connector, part.connector) ?? 1,
    beganMs: least(known?.beganMs, ...times) ?? 0,
    beganWh: least(known?.beganWh, began?.wh),
    leastWh: least(known?.leastWh, began?.wh, ended?.wh, ...registers),
    mostWh: most(known?.mostWh, began?.wh, ended?.wh, ...registers),
    heardMs: most(known?.heardMs, ...times) ?? 0,
    endedMs: most(known?.endedMs, ended?.tsMs),
    endedWh: most(known?.endedWh, ended?.wh),
    reason: known?.reason || ended?.reason || '',
  };
}

/** Wh that went into the vehicle, as far as is known. A meter that counts from 0 in each session tells the same. */
export function energyOf({ beganWh, leastWh, mostWh }: SessionFacts): number {
  const fromWh = beganWh ?? leastWh;
  return fromWh === undefined || mostWh === undefined ? 0 : Math.max(0, mostWh - fromWh);
}

/**
 * A session that never told its end, closed by the beginning of the next on the same connector. What its meter counted meanwhile went into
 * its vehicle, unless the meter counts from 0 in each session.
 */
export function closedByNext(open: SessionFacts, next: { tsMs: number; wh: number | undefined }): SessionFacts {
  const goesOn = next.wh !== undefined && open.mostWh !== undefined && next.wh >= open.mostWh;
  return {
    ...open,
    endedMs: Math.min(next.tsMs, Math.max(open.heardMs, open.beganMs)),
    endedWh: goesOn ? next.wh : open.endedWh,
    mostWh: goesOn ? next.wh : open.mostWh,
    reason: open.reason || 'Interrupted',
  };
}
