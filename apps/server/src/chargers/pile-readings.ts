import { type PileReading, type PileStatus, statusNumbers } from './pile-events.ts';

/** Readings that come later were kept by the pile while it could not send. */
const LATE_MS = 120_000;
const FAULT_CODE = 5008;
const WH_PER_KWH = 1_000;
/** Readings farther apart tell no power of the time between, and those that come at once none either. */
const LONGEST_PAUSE_MS = 5 * 60_000;
const SHORTEST_PAUSE_MS = 5_000;
/** What a pile may give beyond what it says that it can. */
const MARGIN = 1.2;

/** What is known of a pile beside its readings. */
export interface PileNow {
  readonly status: PileStatus | undefined;
  readonly errorCode: string;
  /** Reading of the meter at which the running session began, Wh. */
  readonly sessionFromWh: number | undefined;
  /** Registers of several meters are not those of one that counts on. */
  readonly hasOneMeter: boolean;
  /** What its other connectors give now, W, and A of the phase that carries most. */
  readonly othersW: number;
  readonly othersA: number;
}

/** States in which nothing flows. */
const resting: ReadonlySet<PileStatus> = new Set(['available', 'finishing', 'reserved', 'unavailable', 'faulted']);

/** Readings as the JSON on-ramp takes them. */
export function onRampBody(deviceSn: string, readings: readonly PileReading[], now: PileNow, nowMs: number): string {
  return JSON.stringify(readings.map((reading) => entryOf(deviceSn, reading, now, nowMs)));
}

function entryOf(deviceSn: string, reading: PileReading, now: PileNow, nowMs: number) {
  const hist = nowMs - reading.tsMs > LATE_MS;
  const { status, errorCode, sessionFromWh, hasOneMeter, othersW, othersA } = now;
  // What was kept while it could not send is of a time of which the others are not known.
  const withOthers = (own: number | undefined, others: number) => (own === undefined || hist ? own : own + others);
  const isFaulted = status === 'faulted';
  const session =
    reading.energyWh === undefined || sessionFromWh === undefined ? undefined : reading.energyWh - sessionFromWh;
  const values = {
    'Pile/Power': withOthers(reading.powerW, othersW),
    'Pile/Voltage': reading.voltageV,
    'Pile/Current': withOthers(reading.currentA, othersA),
    'Pile/OfferedCurrent': reading.offeredA,
    'Pile/VehicleSoc': reading.socPercent,
    'Pile/EnergyTotal': reading.energyWh === undefined || !hasOneMeter ? undefined : reading.energyWh / WH_PER_KWH,
    ...(session !== undefined && session >= 0 && { 'Pile/SessionEnergy': session / WH_PER_KWH }),
    ...(!hist && status !== undefined && { 'Pile/Status': statusNumbers[status], 'Pile/ErrorCode': errorCode }),
  };
  return {
    ts: Math.round(reading.tsMs),
    dev: deviceSn,
    kind: 'pile',
    hist,
    v: values,
    ...(!hist && status !== undefined && { alarms: isFaulted ? [{ code: FAULT_CODE, extra: errorCode }] : [] }),
  };
}

/** What a state alone says: where nothing can flow, nothing does, and the meter stands. */
export function restingReading(
  status: PileStatus | undefined,
  last: PileReading | undefined,
  tsMs: number,
): PileReading {
  if (status === undefined || !resting.has(status)) return { tsMs };
  return { tsMs, powerW: 0, currentA: 0, ...(last?.energyWh !== undefined && { energyWh: last.energyWh }) };
}

/** The meter as a session begins: nothing flows yet, unless the pile tells otherwise of that moment. */
export function beginningReading(tsMs: number, energyWh: number, told: readonly PileReading[]): PileReading {
  const powerW = told.find((reading) => reading.tsMs === tsMs)?.powerW ?? 0;
  return { tsMs, energyWh, powerW };
}

/** Readings with the power that two readings of the meter tell, where a pile that can give so much, W, tells none. */
export function withPowers(
  readings: readonly PileReading[],
  before: PileReading | undefined,
  mostW: number,
): PileReading[] {
  let last = before;
  return readings.map((reading) => {
    const filled = reading.powerW === undefined ? { ...reading, ...powerBetween(last, reading, mostW) } : reading;
    if (reading.energyWh !== undefined) last = reading;
    return filled;
  });
}

function powerBetween(from: PileReading | undefined, to: PileReading, mostW: number): Pick<PileReading, 'powerW'> {
  if (from?.energyWh === undefined || to.energyWh === undefined) return {};
  const spanMs = to.tsMs - from.tsMs;
  const wh = to.energyWh - from.energyWh;
  if (spanMs < SHORTEST_PAUSE_MS || spanMs > LONGEST_PAUSE_MS) return {};
  const powerW = (wh * 3_600_000) / spanMs;
  return powerW < 0 || powerW > MARGIN * mostW ? {} : { powerW };
}
