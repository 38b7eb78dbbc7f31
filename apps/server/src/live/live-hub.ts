import { BEAT_MS, liveEndpoints } from '@sonnenwarte/contract/live/live';
import type { Logger } from 'pino';
import { actsForOrganisation, scopeOf } from '../access/scope.ts';
import type { LiveBus, LiveNews } from '../changes/live-bus.ts';
import type { LiveClock } from '../changes/live-clock.ts';
import { CallError } from '../http/call-error.ts';
import type { FindActor } from '../http/serve.ts';
import type { LiveReads } from './live.store.ts';
import { type LiveCaller, type LiveSink, LiveStream } from './live-stream.ts';
import { mapKeyOf, type Subject, type SubjectName, Subjects, type Watch } from './live-subject.ts';

export interface LiveHubParts {
  reads: LiveReads;
  bus: Pick<LiveBus, 'subscribe'>;
  findActor: FindActor;
  clock: LiveClock;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** Newest states that one stream looks at, sent at once, then on change. */
export interface LiveHub {
  open(caller: LiveCaller, subjects: readonly string[], sink: LiveSink): Promise<void>;
  /** Ends all streams. */
  close(): void;
  readonly streams: number;
}

/** A subject is sent to a stream at most this often. */
export const SEND_EVERY_MS = 1_000;
/** Changes that come within this time are read together. */
export const GATHER_MS = 200;
export const MAX_STREAMS_PER_SESSION = 20;
const CHECK_EVERY_BEATS = 7;
export const CHECK_MS = CHECK_EVERY_BEATS * BEAT_MS;
export const SCOPE_CHECK_EVERY_CHECKS = 4;
const STUCK_CHECKS = 4;
/** Streams whose session and scope are looked up at the same time after a change of tenancy. */
const CHECKS_AT_ONCE = 8;
/** A lane rests for this many times what its last reading took, so that reading never fills the time. */
const REST_FACTOR = 3;
const SILENCE_CHECK_MS = 45_000;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function createLiveHub(parts: LiveHubParts): LiveHub {
  return new Hub(parts);
}

class Hub implements LiveHub {
  readonly #parts: LiveHubParts;
  readonly #subjects = new Subjects();
  readonly #values: Lane = newLane();
  /** Sums over many plants take longer: plants and devices do not wait for them. */
  readonly #fleets: Lane = newLane();
  readonly #streams = new Map<LiveStream, () => void>();
  readonly #sessions = new Map<string, Set<LiveStream>>();
  readonly #unsubscribe: () => void;
  #isCheckingAll = false;
  #mustCheckAll = false;

  constructor(parts: LiveHubParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.bus.subscribe((news) => this.#hear(news));
  }

  get streams(): number {
    return this.#streams.size;
  }

  async open(caller: LiveCaller, subjects: readonly string[], sink: LiveSink): Promise<void> {
    const stream = new LiveStream(caller, sink);
    this.#admit(stream);
    stream.send({ type: 'hello', nowMs: this.#parts.clock.nowMs() });
    await this.#look(stream, new Set(subjects));
  }

  close(): void {
    this.#unsubscribe();
    for (const lane of [this.#values, this.#fleets]) lane.cancel?.();
    for (const stream of [...this.#streams.keys()]) stream.end();
  }

  #admit(stream: LiveStream): void {
    const { token } = stream.caller;
    const session = this.#sessions.get(token) ?? new Set();
    this.#sessions.set(token, session.add(stream));
    this.#streams.set(stream, () => undefined);
    stream.onClosed(() => this.#drop(stream));
    const [oldest] = session;
    if (session.size > MAX_STREAMS_PER_SESSION) oldest?.end();
    if (!stream.isClosed) this.#beatLater(stream);
  }

  #drop(stream: LiveStream): void {
    this.#streams.get(stream)?.();
    this.#streams.delete(stream);
    for (const watch of stream.watches.values()) this.#unwatch(watch);
    const session = this.#sessions.get(stream.caller.token);
    session?.delete(stream);
    if (session?.size === 0) this.#sessions.delete(stream.caller.token);
  }

  #unwatch(watch: Watch): void {
    watch.stream.watches.delete(watch.wanted);
    this.#subjects.unwatch(watch);
    if (watch.subject.watches.size === 0) this.#laneOf(watch.subject).waiting.delete(watch.subject);
  }

  /** Takes up what the stream may see of what it wants, and gives up what it may see no more. */
  async #look(stream: LiveStream, wanted: ReadonlySet<string>): Promise<void> {
    const ids = (kind: 'site' | 'device' | 'handover' | 'settings' | 'group') =>
      [...wanted].flatMap((name) => {
        const [prefix, id = ''] = name.split(':');
        return prefix === kind && uuid.test(id) ? [id] : [];
      });
    const { scope } = stream;
    const sites = [...ids('site'), ...(mayGive(scope) ? ids('handover') : [])];
    const visible = await this.#parts.reads.visible(scope, {
      sites,
      devices: ids('device'),
      settings: ids('settings'),
      groups: ids('group'),
    });
    if (stream.isClosed) return;
    for (const name of wanted) {
      const subject = nameOf(name, stream, visible);
      const known = stream.watches.get(name);
      if (known !== undefined && subject !== undefined && mapKeyOf(subject) === known.subject.mapKey) {
        this.#subjects.follow(known.subject, subject);
        continue;
      }
      if (known !== undefined) this.#unwatch(known);
      if (subject === undefined) stream.send({ type: 'gone', subject: name });
      else {
        const watch = this.#subjects.watch(stream, name, subject);
        stream.watches.set(name, watch);
        this.#laneOf(watch.subject).waiting.add(watch.subject);
      }
    }
    this.#flushSoon();
  }

  #hear(news: LiveNews): void {
    if (news.tenancy) void this.#checkAll();
    for (const subject of news.missed ? this.#subjects.all() : this.#subjects.touchedBy(news)) this.#touch(subject);
    this.#flushSoon();
  }

  #laneOf(subject: Subject): Lane {
    return subject.name.kind === 'fleet' ? this.#fleets : this.#values;
  }

  #touch(subject: Subject): void {
    subject.isDirty = true;
    for (const watch of subject.watches) watch.isBehind = true;
    this.#laneOf(subject).waiting.add(subject);
  }

  #flushSoon(): void {
    for (const lane of [this.#values, this.#fleets]) {
      if (lane.waiting.size === 0 || lane.isFlushing || lane.cancel !== undefined) continue;
      const { clock } = this.#parts;
      lane.cancel = clock.after(Math.max(0, lane.nextMs - clock.nowMs()), () => {
        lane.cancel = undefined;
        void this.#flush(lane);
      });
    }
  }

  async #flush(lane: Lane): Promise<void> {
    lane.isFlushing = true;
    const { clock, logger } = this.#parts;
    const nowMs = clock.nowMs();
    const due = [...lane.waiting].filter((subject) => dueWatches(subject, nowMs).length > 0);
    const toRead = due.filter((subject) => subject.isDirty && nowMs >= subject.readAgainMs);
    for (const subject of toRead) {
      subject.isDirty = false;
      subject.readMs = nowMs;
      subject.readAgainMs = nowMs + SEND_EVERY_MS;
    }
    try {
      await this.#read(toRead, nowMs);
    } catch (error) {
      for (const subject of toRead) {
        subject.isDirty = true;
        subject.readMs = Number.NEGATIVE_INFINITY;
      }
      logger.warn({ err: error }, 'live values could not be read');
    }
    for (const subject of due) this.#deliver(subject, nowMs);
    lane.nextMs = nowMs + Math.max(GATHER_MS, (1 + REST_FACTOR) * (clock.nowMs() - nowMs));
    lane.isFlushing = false;
    this.#flushSoon();
  }

  async #read(subjects: readonly Subject[], nowMs: number): Promise<void> {
    const { reads } = this.#parts;
    const ofKind = (kind: 'site' | 'device' | 'handover') =>
      subjects.flatMap((subject) => (subject.name.kind === kind ? [{ subject, id: subject.name.id }] : []));
    const [sites, devices, handovers] = [ofKind('site'), ofKind('device'), ofKind('handover')];
    const idsOf = (group: typeof sites) => group.map(({ id }) => id);
    const [siteEvents, deviceEvents, handoverEvents] = await Promise.all([
      sites.length === 0 ? undefined : reads.sites(idsOf(sites), nowMs),
      devices.length === 0 ? undefined : reads.devices(idsOf(devices), nowMs),
      handovers.length === 0 ? undefined : reads.handovers(idsOf(handovers)),
    ]);
    for (const { subject, id } of sites) subject.event = siteEvents?.get(id) ?? goneOf(subject);
    for (const { subject, id } of handovers) subject.event = handoverEvents?.get(id) ?? goneOf(subject);
    for (const { subject, id } of devices) subject.event = deviceEvents?.get(id) ?? goneOf(subject);
    for (const subject of subjects) {
      const { kind } = subject.name;
      if (
        kind === 'messages' ||
        kind === 'workOrders' ||
        kind === 'workOrderNotes' ||
        kind === 'faultRecords' ||
        kind === 'burnIn'
      )
        subject.event = { type: 'changed', subject: kind, atMs: nowMs };
      if (kind === 'settings' || kind === 'group' || kind === 'incidents') {
        subject.event = { type: 'changed', subject: subject.mapKey, atMs: nowMs };
      }
      if (subject.name.kind === 'fleet') subject.event = await reads.fleet(subject.name.scope, nowMs);
    }
  }

  #deliver(subject: Subject, nowMs: number): void {
    const { event } = subject;
    if (event === undefined) return;
    for (const watch of dueWatches(subject, nowMs)) {
      const isFirst = watch.sentMs === Number.NEGATIVE_INFINITY;
      // A state read earlier serves who has none yet; the others wait for the next reading.
      if (subject.isDirty && subject.readMs !== nowMs && !isFirst) continue;
      if (event.type === 'gone') {
        watch.stream.send({ type: 'gone', subject: watch.wanted });
        this.#unwatch(watch);
        continue;
      }
      watch.stream.send(event);
      watch.sentMs = nowMs;
      watch.isBehind = subject.isDirty;
    }
    if (![...subject.watches].some(({ isBehind }) => isBehind)) this.#laneOf(subject).waiting.delete(subject);
  }

  #beatLater(stream: LiveStream): void {
    const cancel = this.#parts.clock.after(BEAT_MS, () => void this.#beat(stream));
    this.#streams.set(stream, cancel);
  }

  async #beat(stream: LiveStream): Promise<void> {
    stream.beats += 1;
    if (stream.beats % CHECK_EVERY_BEATS === 0) await this.#check(stream);
    if (stream.isClosed) return;
    stream.send({ type: 'beat', nowMs: this.#parts.clock.nowMs() });
    this.#beatLater(stream);
  }

  /** Ends a stream that takes nothing or whose session is over; looks at the scope of the others from time to time. */
  async #check(stream: LiveStream): Promise<void> {
    try {
      stream.stuckChecks = stream.isSlow ? stream.stuckChecks + 1 : 0;
      if (stream.stuckChecks >= STUCK_CHECKS || !(await this.#isStillSignedIn(stream))) return stream.end();
      if ((stream.beats / CHECK_EVERY_BEATS) % SCOPE_CHECK_EVERY_CHECKS === 0) await this.#lookAgain(stream);
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'a live stream could not be checked');
    }
  }

  /** Looks at once at session and scope of every stream; a change that comes meanwhile makes it look once more. */
  async #checkAll(): Promise<void> {
    this.#mustCheckAll = true;
    if (this.#isCheckingAll) return;
    this.#isCheckingAll = true;
    while (this.#mustCheckAll) {
      this.#mustCheckAll = false;
      const streams = this.#streams.keys();
      await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, () => this.#checkEach(streams)));
    }
    this.#isCheckingAll = false;
  }

  async #checkEach(streams: Iterable<LiveStream>): Promise<void> {
    for (const stream of streams) {
      try {
        if (!(await this.#isStillSignedIn(stream))) stream.end();
        else await this.#look(stream, new Set(stream.watches.keys()));
      } catch (error) {
        this.#parts.logger.warn({ err: error }, 'a live stream could not be checked');
      }
    }
  }

  async #isStillSignedIn(stream: LiveStream): Promise<boolean> {
    const { token, address, userAgent } = stream.caller;
    try {
      const actor = await this.#parts.findActor(token, { address, userAgent });
      stream.scope = scopeOf(actor);
      return liveEndpoints.stream.callers.includes(actor.level);
    } catch (error) {
      if (error instanceof CallError) return false;
      throw error;
    }
  }

  /** States also change by mere silence, and days end: every subject is read anew with the check of the scope. */
  async #lookAgain(stream: LiveStream): Promise<void> {
    await this.#look(stream, new Set(stream.watches.keys()));
    const nowMs = this.#parts.clock.nowMs();
    for (const { subject } of stream.watches.values()) {
      if (nowMs - subject.readMs >= SILENCE_CHECK_MS) this.#touch(subject);
    }
    this.#flushSoon();
  }
}

/** Subjects of a kind that are read together. */
interface Lane {
  /** Those with a watch that is behind. */
  readonly waiting: Set<Subject>;
  nextMs: number;
  cancel: (() => void) | undefined;
  isFlushing: boolean;
}

const newLane = (): Lane => ({
  waiting: new Set(),
  nextMs: Number.NEGATIVE_INFINITY,
  cancel: undefined,
  isFlushing: false,
});

const dueWatches = (subject: Subject, nowMs: number): Watch[] =>
  [...subject.watches].filter(
    ({ isBehind, sentMs, stream }) => isBehind && nowMs - sentMs >= SEND_EVERY_MS && !stream.isSlow,
  );

/** Who hands plants over sees how far the customer has come; its owners do not. */
const mayGive = ({ kind }: LiveStream['scope']): boolean => kind === 'all' || kind === 'organisation';

const goneOf = ({ mapKey }: Subject) => ({ type: 'gone', subject: mapKey }) as const;

function nameOf(
  wanted: string,
  { scope, caller }: LiveStream,
  visible: Awaited<ReturnType<LiveReads['visible']>>,
): SubjectName | undefined {
  const [kind, id = ''] = wanted.split(':');
  if (kind === 'fleet') return { kind, scope };
  if (kind === 'incidents' || kind === 'workOrders' || kind === 'faultRecords') return { kind };
  if (kind === 'burnIn') return scope.kind === 'all' ? { kind } : undefined;
  if (kind === 'workOrderNotes') {
    const { accountId, organisationID } = { ...caller.actor, ...scope };
    return actsForOrganisation(scope) ? { kind, id: accountId, organisationID } : undefined;
  }
  if (kind === 'messages') return { kind, id: caller.actor.accountId };
  if (kind === 'settings') return visible.settings?.has(id) ? { kind, id } : undefined;
  if (kind === 'group') return visible.groups?.has(id) ? { kind, id } : undefined;
  if (kind !== 'site' && kind !== 'device' && kind !== 'handover') return undefined;
  if (kind === 'handover' && !mayGive(scope)) return undefined;
  const key = (kind === 'device' ? visible.devices : visible.sites).get(id);
  return key === undefined ? undefined : { kind, id, key };
}
