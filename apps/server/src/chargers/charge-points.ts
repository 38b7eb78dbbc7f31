import { LEAST_CHARGING_A } from '@sonnenwarte/contract/chargers/chargers';
import { isWithin } from '@sonnenwarte/contract/chargers/charging-times';
import { zoneOffsetMs } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { LiveBus } from '../changes/live-bus.ts';
import type { LiveClock } from '../changes/live-clock.ts';
import type { ReadingSink } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { type ChargePoint, chargePoints, type PlantPowers, plantPowers } from './charge-points.store.ts';
import {
  beginning,
  CONTROL_EVERY_MS,
  type ControlState,
  controlled,
  type Decision,
  leastPowerW,
  mostBySunW,
} from './charging-control.ts';
import type { Arrived, DoorConnection } from './ocpp-door.ts';
import { PileLink } from './pile-link.ts';
import { type OfferChange, type PileDraw, type Rival, surplusOf, ValueSteps } from './plant-surplus.ts';

export interface ChargePointsParts {
  readonly db: Kysely<Database>;
  readonly readings: ReadingSink;
  readonly bus: Pick<LiveBus, 'subscribe'>;
  readonly clock: LiveClock;
  readonly logger: Logger;
}

/** A pile hears its offer again after so long, and without hearing it draws nothing any more. */
const TOLD_AGAIN_MS = 120_000;
const OFFER_LASTS_S = 300;
const VOLTAGE_V = 230;

/** What the portal has in hand of a connected pile. */
export interface Controlled {
  readonly link: PileLink;
  readonly connection: DoorConnection;
  readonly steps: ValueSteps;
  /** Resolves once the portal knows that it is there. */
  begun: Promise<void>;
  state: ControlState;
  decision: Decision | undefined;
  surplusW: number | undefined;
  change: OfferChange | undefined;
  told: { currentA: number; phases: 1 | 3; connector: number; atMs: number } | undefined;
  isBusy: boolean;
  /** Something happened while it was busy. */
  isAskedAgain: boolean;
}

/** The piles that are connected to this process: each is told what it may draw, whenever that changes and every 30 seconds. */
export class ChargePoints {
  readonly #parts: ChargePointsParts;
  readonly #piles = new Map<string, Controlled>();
  /** Connections whose end is being noted: the next one of the pile begins after it. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #unsubscribe: () => void;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: ChargePointsParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.bus.subscribe(({ sites, missed, tenancy }) => {
      if (tenancy) this.#lookAgain();
      this.#hear(new Set(sites), missed);
    });
  }

  get size(): number {
    return this.#piles.size;
  }

  pileOf(deviceId: string): Controlled | undefined {
    return this.#piles.get(deviceId);
  }

  arrived(connection: DoorConnection): Arrived {
    const { db, readings, logger, clock } = this.#parts;
    const { point, version, call } = connection;
    const { deviceId } = point;
    const link = new PileLink(
      { db, readings, logger, nowMs: () => clock.nowMs(), changed: () => this.#think(deviceId) },
      point,
      version,
      call,
    );
    const former = this.#piles.get(deviceId);
    const limits = limitsOf(point);
    const pile: Controlled = {
      link,
      connection,
      steps: former?.steps ?? new ValueSteps(),
      begun: Promise.resolve(),
      state: former?.state ?? beginning(limits, clock.nowMs()),
      decision: former?.decision,
      surplusW: former?.surplusW,
      change: undefined,
      told: undefined,
      isBusy: false,
      isAskedAgain: false,
    };
    this.#piles.set(deviceId, pile);
    former?.connection.end('connected anew');
    const before = former?.begun ?? this.#ending.get(deviceId) ?? Promise.resolve();
    const begun = before
      .then(() => link.begin())
      .catch((error: unknown) => this.#warn(error, pile, 'a pile cannot be begun with'));
    pile.begun = begun;
    void begun
      .then(() => link.configure())
      .catch((error: unknown) => this.#warn(error, pile, 'a pile cannot be configured'))
      .then(() => this.#think(deviceId));
    this.#schedule();
    return {
      handle: async (method, params) => {
        await begun;
        return link.handle(method, params);
      },
      closed: () => {
        if (this.#piles.get(deviceId) !== pile) return;
        this.#piles.delete(deviceId);
        const ended = begun
          .then(() => link.end())
          .catch((error: unknown) => this.#warn(error, pile, 'the end of a connection is not noted'))
          .then(() => {
            if (this.#ending.get(deviceId) === ended) this.#ending.delete(deviceId);
          });
        this.#ending.set(deviceId, ended);
      },
    };
  }

  /** What its owner says of a pile is otherwise; one that is gone is let go of. */
  async settingsChanged(deviceId: string): Promise<void> {
    const pile = this.#piles.get(deviceId);
    if (pile === undefined) return;
    await this.#readPoints([pile]);
    this.#think(deviceId);
  }

  /** Its password is not good any more, or it is gone. */
  drop(deviceId: string): void {
    this.#piles.get(deviceId)?.connection.end('credentials changed');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    this.#unsubscribe();
    const ending = [...this.#piles.values()].map(({ begun, link }) => begun.then(() => link.end()));
    this.#piles.clear();
    await Promise.allSettled([...ending, ...this.#ending.values()]);
  }

  #schedule(): void {
    if (this.#cancel !== undefined || this.#isClosed || this.#piles.size === 0) return;
    this.#cancel = this.#parts.clock.after(CONTROL_EVERY_MS, () => {
      this.#cancel = undefined;
      void this.#decide([...this.#piles.values()])
        .catch((error: unknown) => this.#parts.logger.warn({ err: error }, 'piles cannot be controlled'))
        .then(() => this.#schedule());
    });
  }

  /** Plants have gone, or belong elsewhere. */
  #lookAgain(): void {
    if (this.#piles.size === 0) return;
    this.#readPoints([...this.#piles.values()]).catch((error: unknown) =>
      this.#parts.logger.warn({ err: error }, 'piles cannot be read'),
    );
  }

  async #readPoints(piles: readonly Controlled[]): Promise<void> {
    const points = await chargePoints(
      this.#parts.db,
      piles.map(({ link }) => link.point.deviceId),
    );
    const byId = new Map(points.map((point) => [point.deviceId, point]));
    for (const { link, connection } of piles) {
      const point = byId.get(link.point.deviceId);
      if (point === undefined) connection.end('not known any more');
      else link.point = point;
    }
  }

  #hear(sites: ReadonlySet<number>, missed: boolean): void {
    const bySun = [...this.#piles.values()].filter(
      ({ link }) => link.point.mode === 'solar' && link.isPlugged && (missed || sites.has(link.point.siteKey)),
    );
    for (const { link } of bySun) this.#think(link.point.deviceId);
  }

  #think(deviceId: string): void {
    const pile = this.#piles.get(deviceId);
    if (pile === undefined || this.#isClosed) return;
    void this.#decide([pile]).catch((error: unknown) => this.#warn(error, pile, 'a pile cannot be controlled'));
  }

  async #decide(piles: readonly Controlled[]): Promise<void> {
    const free = piles.filter((pile) => {
      pile.isAskedAgain = pile.isBusy;
      return !pile.isBusy;
    });
    for (const pile of free) pile.isBusy = true;
    try {
      const bySun = free.filter(({ link }) => link.point.mode === 'solar' && link.isPlugged);
      const powers = await plantPowers(this.#parts.db, [...new Set(bySun.map(({ link }) => link.point.siteId))]);
      const bySite = new Map(powers.map((each) => [each.siteId, each]));
      await Promise.all(free.map((pile) => this.#decideOne(pile, bySite.get(pile.link.point.siteId))));
    } finally {
      for (const pile of free) {
        pile.isBusy = false;
        if (pile.isAskedAgain) this.#think(pile.link.point.deviceId);
      }
    }
  }

  async #decideOne(pile: Controlled, powers: PlantPowers | undefined): Promise<void> {
    const nowMs = this.#parts.clock.nowMs();
    const { link, steps } = pile;
    const { point } = link;
    if (pile.decision === undefined && point.mode === 'solar') {
      // Before it is known what it does, nothing is switched; what charges goes on at the least current.
      if (link.status === undefined) return;
      if (link.status === 'charging') pile.state = { ...pile.state, currentA: LEAST_CHARGING_A };
    }
    if (powers?.ts) steps.note(powers.ts.getTime());
    const rivals = this.#rivalsOf(pile);
    const surplus = surplusOf(powers, drawOf(pile), rivals, nowMs);
    // Until the vehicle has followed, what was known holds; what somebody has stopped waits for nothing.
    const isDecided = point.mode === 'solar' && !point.isStopped && pile.decision !== undefined;
    if (surplus === 'settling' && isDecided) return this.#tell(pile, nowMs);
    const known = surplus === 'settling' ? undefined : surplus;
    pile.decision = controlled(limitsOf(point), pile.state, {
      nowMs,
      mode: point.mode,
      isPlugged: link.isPlugged,
      isStopped: point.isStopped,
      isInTime: isInTime(point, nowMs),
      surplus: known,
      reactionMs: steps.reactionMs,
      sharers: 1 + rivals.length,
    });
    pile.state = pile.decision.state;
    await this.#tell(pile, nowMs);
    pile.surplusW = known?.freeW;
    if (pile.state.currentA > 0 && !point.isStopped) await link.startIfWaiting(nowMs).catch(() => undefined);
  }

  /** Other piles of the plant that charge by sun. They are served in the order of their names in the protocol, which does not change. */
  #rivalsOf({ link: { point: own } }: Controlled): Rival[] {
    const others = [...this.#piles.values()].filter(({ link: { point, isPlugged } }) => {
      const isAnother = point.siteId === own.siteId && point.deviceId !== own.deviceId;
      return isAnother && point.mode === 'solar' && isPlugged && !point.isStopped;
    });
    return others.map((pile) => {
      const { state, steps, link } = pile;
      return {
        ...drawOf(pile),
        comesFirst: link.point.identity < own.identity,
        offeredW: offeredW(state),
        leastW: leastPowerW(state.phases),
        mostW: mostBySunW(limitsOf(link.point), { reactionMs: steps.reactionMs, sharers: 1 + others.length }),
      };
    });
  }

  async #tell(pile: Controlled, nowMs: number): Promise<void> {
    const { link, state, told } = pile;
    const { currentA, phases } = state;
    const { offeredTo: connector } = link;
    const isOtherwise =
      told === undefined || told.currentA !== currentA || told.phases !== phases || told.connector !== connector;
    if (!isOtherwise && nowMs - told.atMs < TOLD_AGAIN_MS) return;
    const fromW = told === undefined ? 0 : offeredW(told);
    const toW = offeredW(state);
    const { phases: can, mode } = link.point;
    try {
      await link.limit({
        currentA,
        phases,
        tellsPhases: can === 'switching',
        lastsS: mode === 'solar' ? OFFER_LASTS_S : undefined,
      });
    } catch (error) {
      this.#warn(error, pile, 'a pile does not answer');
      return;
    }
    // From its answer on it follows; one that did not take it is told again at the next look.
    const atMs = this.#parts.clock.nowMs();
    pile.told = { currentA, phases, connector, atMs: link.takesLimits === true ? atMs : atMs - TOLD_AGAIN_MS };
    if (toW !== fromW) pile.change = { atMs, fromW, toW };
  }

  #warn(error: unknown, { link }: Controlled, text: string): void {
    this.#parts.logger.warn({ err: error, pile: link.point.identity }, text);
  }
}

const offeredW = ({ currentA, phases }: { currentA: number; phases: 1 | 3 }): number => currentA * VOLTAGE_V * phases;

const drawOf = ({ link, change }: Controlled): PileDraw => ({
  powerW: link.powerW,
  readMs: link.last?.tsMs ?? 0,
  change,
});

const limitsOf = ({ phases, mostCurrentA, limitA }: ChargePoint) => ({
  phases,
  mostA: Math.min(mostCurrentA, limitA ?? mostCurrentA),
});

const DAY_MINUTES = 24 * 60;

const isInTime = ({ times, timeZone }: ChargePoint, nowMs: number): boolean => {
  const minute = Math.floor((nowMs + zoneOffsetMs(nowMs, timeZone)) / 60_000) % DAY_MINUTES;
  return times.some((time) => isWithin(time, minute));
};
