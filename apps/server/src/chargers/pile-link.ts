import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { ReadingSink } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { type ChargePoint, keepTold, setStopped } from './charge-points.store.ts';
import { readCall16 } from './ocpp-16.ts';
import { readCall201 } from './ocpp-201.ts';
import { leading, PileConnector } from './pile-connector.ts';
import { type CallPile, driverOf, type OcppVersion, type Offer, type PileDriver } from './pile-driver.ts';
import type { Answer, PileEvent, PileReading, PileStatus, TransactionPart } from './pile-events.ts';
import { beginningReading, onRampBody, restingReading } from './pile-readings.ts';
import { mostPowerW } from './session-meter.ts';
import { beginSession, endRunning, keepPart, meteredConnectors, runningSessions } from './sessions.store.ts';
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

/** A start that was refused, or that nobody followed, is tried again after this time. */
const START_AGAIN_MS = 60_000;
/** A pile that has not done what it is asked within this time may do it later, or never. */
const ASKED_WITHIN_MS = 8_000;

/** What became of a command: `running`: a session runs already, and nothing was sent. */
export type Outcome = 'done' | 'refused' | 'silent' | 'running';

/** A connected pile: what it tells is kept before it is answered, one call after the other. */
export class PileLink {
  readonly #parts: LinkParts;
  readonly #driver: PileDriver;
  readonly #read: typeof readCall16;
  readonly version: OcppVersion;
  point: ChargePoint;
  /** Whether it does what it is told to draw; undefined until it was told. */
  takesLimits: boolean | undefined;
  readonly #connectors = new Map<number, PileConnector>();
  #lead: PileConnector;
  /** Of the newest part of a transaction: what it says of its state is of that. */
  #told: PileConnector;
  /** Of the pile as a whole. */
  #faultCode: string | undefined;
  /** Connectors that have sessions with a meter: those of several have no register in common. */
  readonly #metered = new Set<number>();
  #chain: Promise<unknown> = Promise.resolve();

  constructor(parts: LinkParts, point: ChargePoint, version: OcppVersion, call: CallPile) {
    this.#parts = parts;
    this.point = point;
    this.version = version;
    this.#driver = driverOf(version, call, () => new Date(parts.nowMs()));
    this.#read = version === 'ocpp1.6' ? readCall16 : readCall201;
    this.#lead = this.#connector(1);
    this.#told = this.#lead;
  }

  /** The connector at which most happens stands for the pile. */
  get status(): PileStatus | undefined {
    return this.#faultCode === undefined ? this.#lead.status : 'faulted';
  }

  get session(): SessionFacts | undefined {
    return this.#lead.session;
  }

  get last(): PileReading | undefined {
    return this.#lead.last;
  }

  get isPlugged(): boolean {
    return this.#faultCode === undefined && [...this.#connectors.values()].some(({ isPlugged }) => isPlugged);
  }

  /** Of all its connectors. */
  get powerW(): number {
    return [...this.#connectors.values()].reduce((sum, { powerW }) => sum + powerW, 0);
  }

  get sessionWh(): number | undefined {
    return this.session && energyOf(this.session, mostPowerW(this.point));
  }

  /** Its connection stands: it is online, and tells how it is. */
  async begin(): Promise<void> {
    const { db, nowMs } = this.#parts;
    const { deviceId } = this.point;
    await keepTold(db, deviceId, { protocol: this.version, connected_at: new Date(nowMs()) });
    // A pile that speaks another version than before has forgotten what it called a transaction in that.
    if (this.version === 'ocpp1.6') await endRunning(db, this.point, ({ transaction }) => !/^\d+$/.test(transaction));
    for (const number of await meteredConnectors(db, deviceId)) this.#metered.add(number);
    await this.#readSessions();
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

  /** To which connector offers go. */
  get offeredTo(): number {
    return this.#lead.number;
  }

  async limit(offer: Offer): Promise<void> {
    const { number, session } = this.#lead;
    this.takesLimits = await this.#driver.limit(offer, number, session?.transaction);
  }

  /** Starts a session where a vehicle waits for one; where it does not come about, again after a while. */
  async startIfWaiting(nowMs: number): Promise<void> {
    const waiting = [...this.#connectors.values()].filter(
      ({ session, status, startedMs }) =>
        session === undefined && status === 'preparing' && nowMs - startedMs >= START_AGAIN_MS,
    );
    for (const connector of waiting) {
      connector.startedMs = nowMs;
      await this.#driver.start(connector.number);
    }
  }

  /** Starts at once where no session runs. */
  async start(nowMs: number): Promise<Outcome> {
    const connectors = [...this.#connectors.values()];
    const free = connectors.filter(({ session }) => session === undefined);
    const waiting = free.find(({ isPlugged }) => isPlugged) ?? (this.session === undefined ? this.#lead : undefined);
    if (waiting === undefined) return 'running';
    waiting.startedMs = nowMs;
    return inTime(this.#driver.start(waiting.number));
  }

  /** Stops all that runs. */
  async stop(): Promise<Outcome> {
    const running = [...this.#connectors.values()].flatMap(({ session }) => session ?? []);
    const outcomes = await Promise.all(running.map(({ transaction }) => inTime(this.#driver.stop(transaction))));
    return outcomes.find((outcome) => outcome !== 'done') ?? 'done';
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
    const { db } = this.#parts;
    const { deviceId } = this.point;
    switch (event.kind) {
      case 'boot': {
        const { kind: _, ...told } = event;
        await keepTold(db, deviceId, told);
        // What it was at it has forgotten; a session that goes on all the same tells of itself.
        await endRunning(db, this.point, () => true);
        await this.#readSessions();
        return undefined;
      }
      case 'firmware':
        await keepTold(db, deviceId, { firmware_state: event.state });
        return undefined;
      case 'heartbeat':
        await this.#rest(this.#lead);
        return undefined;
      case 'status':
        await this.#takeStatus(event);
        return undefined;
      case 'readings':
        await this.#store(this.#connector(event.connector), event.readings);
        return undefined;
      case 'begin': {
        const session = await beginSession(db, this.point, event);
        await this.#readSessions();
        const starts = event.wh === undefined ? [] : [beginningReading(event.tsMs, event.wh, [])];
        await this.#store(this.#connector(event.connector), starts);
        return session.transaction;
      }
      case 'transaction':
        await this.#takePart(event.part);
        return undefined;
    }
  }

  async #takePart(part: TransactionPart): Promise<void> {
    const facts = await keepPart(this.#parts.db, this.point, part, this.#parts.nowMs());
    const connector = this.#connector(facts?.connector ?? part.connector);
    this.#told = connector;
    const { ended, began, readings } = part;
    const ends = ended?.wh === undefined ? [] : [{ tsMs: ended.tsMs, energyWh: ended.wh, powerW: 0, currentA: 0 }];
    const starts = began?.wh === undefined ? [] : [beginningReading(began.tsMs, began.wh, readings)];
    await this.#store(connector, [...starts, ...readings, ...ends]);
    await this.#readSessions();
    // Connected again it need not tell its state: readings of a session do.
    if (readings.length > 0 && ended === undefined && facts?.endedMs === undefined) connector.status ??= 'charging';
    this.#lead = leading(this.#connectors.values(), this.#lead);
  }

  /** The connector of a number; what is told of none, or of the pile as a whole, is of the one at which most happens. */
  #connector(number: number): PileConnector {
    if (number === 0) return this.#lead;
    const known = this.#connectors.get(number);
    if (known !== undefined) return known;
    const connector = new PileConnector(number);
    this.#connectors.set(number, connector);
    return connector;
  }

  async #readSessions(): Promise<void> {
    const running = await runningSessions(this.#parts.db, this.point.deviceId);
    for (const connector of this.#connectors.values()) connector.session = undefined;
    // The newest first, of those that do not tell where they are.
    for (const session of running) this.#connector(session.connector).session ??= session;
    this.#lead = leading(this.#connectors.values(), this.#lead);
  }

  async #takeStatus(event: Extract<PileEvent, { kind: 'status' }>): Promise<void> {
    const { db } = this.#parts;
    const { status, errorCode, ofTransaction = false } = event;
    const wasPlugged = this.isPlugged;
    // Of the pile as a whole only a fault is told: its connectors have the state.
    if (event.connector === 0 && !ofTransaction) {
      if (status !== 'faulted') return;
      this.#faultCode = errorCode || 'NoError';
      return this.#rest(this.#lead);
    }
    const connector = ofTransaction ? this.#told : this.#connector(event.connector);
    this.#faultCode = undefined;
    connector.status = status;
    connector.errorCode = errorCode || 'NoError';
    if (status === 'available' && !ofTransaction) {
      // Its vehicle has left, whether or not the end of its session was told.
      const { number } = connector;
      await endRunning(db, this.point, (facts) => this.#connector(facts.connector).number === number);
      await this.#readSessions();
    }
    this.#lead = leading(this.#connectors.values(), this.#lead);
    if (wasPlugged && !this.isPlugged && this.point.isStopped) {
      // What somebody stopped was the charging of the vehicle that has left.
      await setStopped(db, this.point.deviceId, false);
      this.point = { ...this.point, isStopped: false };
    }
    await this.#rest(connector);
  }

  #rest(connector: PileConnector): Promise<void> {
    return this.#store(connector, [restingReading(connector.status, connector.last, this.#parts.nowMs())]);
  }

  async #store(connector: PileConnector, told: readonly PileReading[]): Promise<void> {
    if (told.length === 0) return;
    const { readings: sink, nowMs } = this.#parts;
    const readings = connector.take(told, mostPowerW(this.point));
    if (connector.hasRegister) this.#metered.add(connector.number);
    const others = [...this.#connectors.values()].filter((each) => each !== connector);
    const body = onRampBody(
      this.point.deviceSn,
      readings,
      {
        status: this.status,
        errorCode: this.#faultCode ?? connector.errorCode,
        sessionFromWh: connector.session?.beganWh,
        hasOneMeter: this.#metered.size <= 1,
        othersW: others.reduce((sum, { powerW }) => sum + powerW, 0),
        othersA: others.reduce((sum, { currentA }) => sum + currentA, 0),
      },
      nowMs(),
    );
    await sink.take(this.point.dataloggerSn, 'up', body);
  }
}

/** What a pile has done of what it was asked, within the time that somebody waits. */
async function inTime(asked: Promise<boolean>): Promise<Outcome> {
  const controller = new AbortController();
  const silent = pause(ASKED_WITHIN_MS, 'silent' as const, { signal: controller.signal });
  try {
    return await Promise.race([asked.then((isDone) => (isDone ? 'done' : 'refused')), silent]);
  } finally {
    controller.abort();
    silent.catch(() => undefined);
  }
}
