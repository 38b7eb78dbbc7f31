import type { PileReading, PileStatus } from './pile-events.ts';
import { withPowers } from './pile-readings.ts';
import { MeterWatch } from './session-meter.ts';
import type { SessionFacts } from './sessions.ts';

const plugged: ReadonlySet<PileStatus> = new Set([
  'preparing',
  'charging',
  'suspendedEvse',
  'suspendedEv',
  'finishing',
]);

/** Which connector of a pile its screen and its control are about: the one at which most happens. */
const places: readonly (PileStatus | undefined)[] = [
  'charging',
  'suspendedEvse',
  'preparing',
  'suspendedEv',
  'finishing',
  'faulted',
  'available',
  'reserved',
  'unavailable',
  undefined,
];

/** What is known of one connector of a connected pile. */
export class PileConnector {
  readonly number: number;
  readonly #meter = new MeterWatch();
  status: PileStatus | undefined;
  errorCode = 'NoError';
  session: SessionFacts | undefined;
  /** The newest reading with anything in it; its register is absent while nothing confirms it. */
  last: PileReading | undefined;
  /** When the portal asked for a start last. */
  startedMs = Number.NEGATIVE_INFINITY;

  constructor(number: number) {
    this.number = number;
  }

  get isPlugged(): boolean {
    return this.status !== undefined && plugged.has(this.status);
  }

  get powerW(): number {
    return this.status === 'charging' ? (this.last?.powerW ?? 0) : 0;
  }

  get currentA(): number {
    return this.status === 'charging' ? (this.last?.currentA ?? 0) : 0;
  }

  get hasRegister(): boolean {
    return this.#meter.isOpen;
  }

  /** Readings of a pile that can give so much, W, as they are passed on: with powers, and without registers that nothing confirms. */
  take(told: readonly PileReading[], mostW: number): PileReading[] {
    const readings = withPowers(
      told.map((reading) => this.#confirmed(reading, mostW)),
      this.last,
      mostW,
    );
    // A state alone measures nothing: readings of a moment before it are still the newest.
    for (const reading of readings) {
      if (reading.powerW === undefined && reading.energyWh === undefined) continue;
      if (this.last === undefined || reading.tsMs >= this.last.tsMs) this.last = { ...this.last, ...reading };
    }
    if (this.#meter.isInDoubt && this.last !== undefined) {
      const { energyWh: _, ...rest } = this.last;
      this.last = rest;
    }
    return readings;
  }

  #confirmed(reading: PileReading, mostW: number): PileReading {
    const { energyWh, ...rest } = reading;
    return energyWh === undefined || this.#meter.isTaken(reading.tsMs, energyWh, mostW) ? reading : rest;
  }
}

/** The connector that counts most; of several alike the one that did before, then the first. */
export function leading(connectors: Iterable<PileConnector>, before: PileConnector): PileConnector {
  let lead = before;
  for (const each of connectors) if (places.indexOf(each.status) < places.indexOf(lead.status)) lead = each;
  return lead;
}
