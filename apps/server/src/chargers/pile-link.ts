import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { ReadingSink } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { type ChargePoint, keepTold, setStopped } from './charge-points.store.ts';
import { readCall16 } from './ocpp-16.ts';
import { readCall201 } from './ocpp-201.ts';
import { type CallPile, driverOf, type OcppVersion, type Offer, type PileDriver } from './pile-driver.ts';
import type { Answer, PileEvent, PileReading, PileStatus } from './pile-events.ts';
import { beginningReading, onRampBody, restingReading, withPowers } from './pile-readings.ts';
import { beginSession, keepPart, runningSession } from './sessions.store.ts';
import { energyOf, type SessionFacts } from './sessions.ts';
import { toldOf } from './told-fields.ts';

export interface LinkParts {
  readonly db: Kysely<Database>;
  readonly readings: ReadingSink;
  readonly nowMs: () => number;
  readonly logger: Logger;
  /** Something is otherwise than before: what it may draw is thought over. */
  readonly changed: (link: PileLink) => void;
}

const plugged: ReadonlySet<PileStatus> = new Set([
  'preparing',
  'charging',
  'suspendedEvse',
  'suspendedEv',
  'finishing',
]);
/** A start that was refused, or that nobody followed, is tried again after this time. */
const START_AGAIN_MS = 60_000;

/** A connected pile: what it tells is kept before it is answered, one call after the other. */
export class PileLink {
  readonly #parts: LinkParts;
  readonly #driver: PileDriver;
  readonly #read: typeof readCall16;
  readonly version: OcppVersion;
  point: ChargePoint;
  status: PileStatus | undefined;
  errorCode = 'NoError';
  session: SessionFacts | undefined;
  /** The newest reading with anything in it, and those of the last minute by their powers. */
  last: PileReading | undefined;
  /** Whether it does what it is told to draw; undefined until it was told. */
  takesLimits: boolean | undefined;
  #connector = 1;
  #chain: Promise<unknown> = Promise.resolve();
  #startedMs = Number.NEGATIVE_INFINITY;

  constructor(parts: LinkParts, point: ChargePoint, version: OcppVersion, call: CallPile) {
    this.#parts = parts;
    this.point = point;
    this.version = version;
    this.#driver = driverOf(version, call, () => new Date(parts.nowMs()));
    this.#read = version === 'ocpp1.6' ? readCall16 : readCall201;
  }

  get isPlugged(): boolean {
    return this.status !== undefined && plugged.has(this.status);
  }

  get powerW(): number {
    return this.status === 'charging' ? (this.last?.powerW ?? 0) : 0;
  }

  /** Its connection stands: it is online, and tells how it is. */
  async begin(): Promise<void> {
    const { db, nowMs } = this.#parts;
    await keepTold(db, this.point.deviceId, { protocol: this.version, connected_at: new Date(nowMs()) });
    this.session = await runningSession(db, this.point.deviceId);
    await this.#parts.readings.take(this.point.dataloggerSn, 'status', 'online');
  }

  async end(): Promise<void> {
    await this.#chain.catch(() => undefined);
    await this.#parts.readings.take(this.point.dataloggerSn, 'status', 'offline');
  }

  configure(): Promise<void> {
    return this.#driver.configure();
  }

  /** The answer to a call, once what it tells is kept; undefined for a call that is none. */
  handle(method: string, params: unknown): Promise<Answer | undefined> {
    const turn = this.#chain.catch(() => undefined).then(() => this.#handled(method, params));
    this.#chain = turn;
    return turn;
  }

  async limit(offer: Offer): Promise<void> {
    this.takesLimits = await this.#driver.limit(offer, this.#connector, this.session?.transaction);
  }

  /** Starts a session where a vehicle waits for one; where it does not come about, again after a while. */
  async startIfWaiting(nowMs: number): Promise<void> {
    if (this.session !== undefined || this.status !== 'preparing' || nowMs - this.#startedMs < START_AGAIN_MS) return;
    this.#startedMs = nowMs;
    await this.#driver.start(this.#connector);
  }

  /** Starts at once; false where the pile refuses it. */
  async start(nowMs: number): Promise<boolean> {
    if (this.session !== undefined) return true;
    this.#startedMs = nowMs;
    return this.#driver.start(this.#connector);
  }

  async stop(): Promise<boolean> {
    return this.session === undefined || this.#driver.stop(this.session.transaction);
  }

  async #handled(method: string, params: unknown): Promise<Answer | undefined> {
    const { nowMs, changed } = this.#parts;
    const call = this.#read(method, toldOf(params), nowMs());
    if (call === undefined) return undefined;
    let transaction: string | undefined;
    for (const event of call.events) transaction = (await this.#keep(event)) ?? transaction;
    if (call.events.length > 0) changed(this);
    return call.answer(new Date(nowMs()), transaction);
  }

  /** Keeps what an event tells; answers the number of the transaction that it begins. */
  async #keep(event: PileEvent): Promise<string | undefined> {
    const { db, nowMs } = this.#parts;
    const { deviceId } = this.point;
    switch (event.kind) {
      case 'boot': {
        const { kind: _, ...told } = event;
        await keepTold(db, deviceId, told);
        return undefined;
      }
      case 'firmware':
        await keepTold(db, deviceId, { firmware_state: event.state });
        return undefined;
      case 'heartbeat':
        await this.#store([restingReading(this.status, this.last, nowMs())]);
        return undefined;
      case 'status':
        await this.#takeStatus(event);
        return undefined;
      case 'readings':
        await this.#store(event.readings);
        return undefined;
      case 'begin': {
        const session = await beginSession(db, deviceId, event);
        this.#follow(session);
        await this.#store(event.wh === undefined ? [] : [beginningReading(event.tsMs, event.wh, [])]);
        return session.transaction;
      }
      case 'transaction': {
        const facts = await keepPart(db, deviceId, event.part);
        const { ended, began, readings } = event.part;
        const ends = ended?.wh === undefined ? [] : [{ tsMs: ended.tsMs, energyWh: ended.wh, powerW: 0, currentA: 0 }];
        const starts = began?.wh === undefined ? [] : [beginningReading(began.tsMs, began.wh, readings)];
        await this.#store([...starts, ...readings, ...ends]);
        if (facts !== undefined) this.#follow(facts);
        // Connected again it need not tell its state: readings of a session do.
        if (readings.length > 0 && ended === undefined) this.status ??= 'charging';
        return undefined;
      }
    }
  }

  #follow(facts: SessionFacts): void {
    const isOlder = this.session !== undefined && facts.beganMs < this.session.beganMs;
    if (isOlder) return;
    this.session = facts.endedMs === undefined ? facts : undefined;
    if (facts.endedMs === undefined && facts.connector > 0) this.#connector = facts.connector;
  }

  async #takeStatus({ connector, status, errorCode }: Extract<PileEvent, { kind: 'status' }>): Promise<void> {
    const { db, nowMs } = this.#parts;
    // Of the pile as a whole only a fault is told: its connector has the state.
    if (connector === 0 && status !== 'faulted') return;
    const wasPlugged = this.isPlugged;
    this.status = status;
    this.errorCode = errorCode || 'NoError';
    if (connector > 0) this.#connector = connector;
    if (wasPlugged && !this.isPlugged && this.point.isStopped) {
      // What somebody stopped was the charging of the vehicle that has left.
      await setStopped(db, this.point.deviceId, false);
      this.point = { ...this.point, isStopped: false };
    }
    await this.#store([restingReading(status, this.last, nowMs())]);
  }

  async #store(told: readonly PileReading[]): Promise<void> {
    if (told.length === 0) return;
    const { readings: sink, nowMs } = this.#parts;
    const readings = withPowers(told, this.last);
    const body = onRampBody(
      this.point.deviceSn,
      readings,
      { status: this.status, errorCode: this.errorCode, sessionFromWh: this.session?.beganWh },
      nowMs(),
    );
    await sink.take(this.point.dataloggerSn, 'up', body);
    // A state alone measures nothing: readings of a moment before it are still the newest.
    for (const reading of readings.filter(({ powerW, energyWh }) => powerW !== undefined || energyWh !== undefined))
      if (this.last === undefined || reading.tsMs >= this.last.tsMs) this.last = { ...this.last, ...reading };
  }

  get sessionWh(): number | undefined {
    return this.session && energyOf(this.session);
  }
}
