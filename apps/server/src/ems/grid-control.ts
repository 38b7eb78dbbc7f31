import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { LiveBus } from '../changes/live-bus.ts';
import type { LiveClock } from '../changes/live-clock.ts';
import type { CommandChannel } from '../commands/orders.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { controlledPlants, gridDevices, gridPower, heldLimits, leftLimited } from './ems.store.ts';
import { givePurchaseSteps, giveSteps } from './give-steps.ts';
import { GridHistory } from './grid-history.ts';
import { measuredMs, nextStep, OLDEST_GRID_MS, releasing } from './grid-steps.ts';
import { leftHolding, purchaseDevices } from './purchase.store.ts';
import { endingPurchase, nextPurchaseStep } from './purchase-steps.ts';
import { purchaseHolder, REFUSED_FOR_MS } from './purchase-units.ts';

/** It is seen so often of which plants nothing was heard. */
const LOOK_EVERY_MS = 15_000;
/** Which plants there are is read as often, for what other processes change. */
const READ_EVERY_MS = 60_000;
/** Shares of batteries are set anew so often while the limit holds as they are. */
const SHARE_EVERY_MS = 5 * 60_000;

interface Uses {
  readonly db: Kysely<Database>;
  readonly bus: LiveBus;
  readonly liveClock: LiveClock;
  readonly commands: CommandChannel;
  readonly logger: Logger;
}

interface Held {
  readonly siteId: string;
  readonly history: GridHistory;
  /** When it was decided last. */
  lookedMs: number;
  /** When shares of batteries were set anew although the limit held. */
  sharedMs: number;
  isDeciding: boolean;
  /** Something has changed while it decided. */
  isStale: boolean;
}

/** Holds the limits of those plants for which the portal does: at each new value of theirs, and where none come. */
export class GridControl {
  readonly #uses: Uses;
  readonly #held = new Map<number, Held>();
  /** Whose inverters were told something, by their ids. */
  readonly #askedOf = new Map<string, Held>();
  #unsubscribe: (() => void)[] = [];
  #cancel: (() => void) | undefined;
  #readMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(uses: Uses) {
    this.#uses = uses;
  }

  start(): void {
    const { bus, commands } = this.#uses;
    this.#unsubscribe = [
      bus.subscribe(({ sites, missed }) => {
        if (missed) for (const held of this.#held.values()) this.#look(held);
        else for (const key of sites) this.#lookAt(key);
      }),
      commands.onChange((changed) => {
        for (const { source, deviceID } of changed) {
          const held = source === 'ems' && deviceID !== null ? this.#askedOf.get(deviceID) : undefined;
          if (held !== undefined) this.#look(held);
        }
      }),
    ];
    this.#tick();
  }

  stop(): void {
    this.#isStopped = true;
    for (const end of this.#unsubscribe) end();
    this.#cancel?.();
  }

  /** Reads again which plants it holds, and decides for those that are new, and for one that was set otherwise. */
  async refresh(changedSiteId?: string): Promise<void> {
    const plants = await controlledPlants(this.#uses.db);
    this.#readMs = this.#uses.liveClock.nowMs();
    const keys = new Set(plants.map(({ key }) => key));
    for (const key of this.#held.keys()) if (!keys.has(key)) this.#held.delete(key);
    const there = new Set(this.#held.values());
    for (const [deviceId, held] of this.#askedOf) if (!there.has(held)) this.#askedOf.delete(deviceId);
    for (const { key, id } of plants) {
      const isNew = !this.#held.has(key);
      if (isNew) {
        const history = new GridHistory();
        this.#held.set(key, { siteId: id, history, lookedMs: 0, sharedMs: 0, isDeciding: false, isStale: false });
      }
      if (isNew || id === changedSiteId) this.#lookAt(key);
    }
    const left = new Set([
      ...(await leftLimited(this.#uses.db, this.#readMs)),
      ...(await leftHolding(this.#uses.db, this.#readMs, this.#readMs - REFUSED_FOR_MS)),
    ]);
    for (const siteId of left) {
      // What is wrong at one of them keeps none of the others limited.
      await this.#letGo(siteId).catch((error: unknown) =>
        this.#uses.logger.warn({ err: error, site: siteId }, 'cannot free inverters of a limit'),
      );
    }
  }

  /** Frees inverters at which something is left over that was set for a limit. */
  async #letGo(siteId: string): Promise<void> {
    const { db, commands, liveClock } = this.#uses;
    await inTransaction(db, async (tx) => {
      const limits = await heldLimits(tx, siteId);
      const nowMs = liveClock.nowMs();
      if (limits?.exportLimitW == null) {
        const step = releasing(await gridDevices(tx, siteId, nowMs));
        if (step.told.length > 0) await giveSteps(tx, commands, step, { siteId, nowMs });
      }
      if (limits?.purchaseController !== 'portal') {
        const devices = await purchaseDevices(tx, siteId, nowMs);
        const holder = limits?.purchaseController == null ? undefined : purchaseHolder(devices);
        const step = endingPurchase(devices, holder?.id);
        if (step.told.length > 0) await givePurchaseSteps(tx, commands, step, { siteId, nowMs });
      }
    });
  }

  #tick(): void {
    if (this.#isStopped) return;
    const { liveClock, logger } = this.#uses;
    if (liveClock.nowMs() - this.#readMs >= READ_EVERY_MS) {
      this.refresh().catch((error: unknown) => logger.warn({ err: error }, 'cannot read which limits to hold'));
    }
    const silentMs = liveClock.nowMs() - OLDEST_GRID_MS;
    for (const held of this.#held.values()) if (held.lookedMs <= silentMs) this.#look(held);
    this.#cancel = liveClock.after(LOOK_EVERY_MS, () => this.#tick());
  }

  #lookAt(key: number): void {
    const held = this.#held.get(key);
    if (held !== undefined) this.#look(held);
  }

  #look(held: Held): void {
    if (this.#isStopped) return;
    if (held.isDeciding) {
      held.isStale = true;
      return;
    }
    held.isDeciding = true;
    held.lookedMs = this.#uses.liveClock.nowMs();
    held.isStale = false;
    this.#decide(held)
      .catch((error: unknown) => this.#uses.logger.warn({ err: error, site: held.siteId }, 'cannot hold a limit'))
      .finally(() => {
        held.isDeciding = false;
        if (held.isStale) this.#look(held);
      });
  }

  async #decide(held: Held): Promise<void> {
    const { siteId } = held;
    await inTransaction(this.#uses.db, async (tx) => {
      const limits = await heldLimits(tx, siteId);
      if (limits === undefined) return;
      const nowMs = this.#uses.liveClock.nowMs();
      const [devices, grid] = [await gridDevices(tx, siteId, nowMs), await gridPower(tx, siteId)];
      const measured = { gridW: grid?.gridW ?? null, measuredMs: measuredMs(devices, grid?.ts?.getTime() ?? null) };
      if (limits.exportLimitW !== null) {
        const step = nextStep(measured, devices, limits.exportLimitW, nowMs, held.history);
        this.#noteAsked(held, step.told);
        if (step.told.length > 0) await giveSteps(tx, this.#uses.commands, step, { siteId, nowMs });
      }
      if (limits.purchaseLimitW === null) return;
      const { purchaseLimitW: limitW, purchaseSetAt } = limits;
      const ground = {
        ...measured,
        limitW,
        setAtMs: purchaseSetAt?.getTime() ?? null,
        mayShare: nowMs - held.sharedMs >= SHARE_EVERY_MS,
      };
      const step = nextPurchaseStep(ground, await purchaseDevices(tx, siteId, nowMs), nowMs);
      if (step.told.length === 0) return;
      if (step.isOnlyShared) held.sharedMs = nowMs;
      this.#noteAsked(held, step.told);
      await givePurchaseSteps(tx, this.#uses.commands, step, { siteId, nowMs });
    });
  }

  #noteAsked(held: Held, told: readonly { readonly device: { readonly id: string } }[]): void {
    for (const { device } of told) this.#askedOf.set(device.id, held);
  }
}
