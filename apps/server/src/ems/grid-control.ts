import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { LiveBus } from '../changes/live-bus.ts';
import type { LiveClock } from '../changes/live-clock.ts';
import type { CommandChannel } from '../commands/orders.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import {
  controlledPlants,
  gridDevices,
  gridPower,
  heldLimit,
  keepOwnLimits,
  leftLimited,
  noteSteps,
} from './ems.store.ts';
import { type GridStep, measuredMs, nextStep, OLDEST_GRID_MS, releasing } from './grid-steps.ts';

const OUTPUT_LIMIT = 'Setting/ActivePowerLimit';
/** A limit that has not reached its inverter by then is decided anew. */
const EXPIRES_MS = 60_000;
/** That one may give all again is told it whenever it comes back, within the time that any command is kept. */
const RELEASE_EXPIRES_MS = 12 * 3_600_000;
/** It is seen so often of which plants nothing was heard. */
const LOOK_EVERY_MS = 15_000;
/** Which plants there are is read as often, for what other processes change. */
const READ_EVERY_MS = 60_000;

interface Uses {
  readonly db: Kysely<Database>;
  readonly bus: LiveBus;
  readonly liveClock: LiveClock;
  readonly commands: CommandChannel;
  readonly logger: Logger;
}

interface Held {
  readonly siteId: string;
  /** When it was decided last. */
  lookedMs: number;
  isDeciding: boolean;
  /** Something has changed while it decided. */
  isStale: boolean;
}

/** Writes steps to inverters, and why. */
export async function giveSteps(
  tx: Parameters<CommandChannel['order']>[0],
  commands: CommandChannel,
  siteId: string,
  step: GridStep,
  nowMs: number,
  orderedBy: string | null = null,
): Promise<void> {
  await keepOwnLimits(
    tx,
    step.told.map(({ device }) => device.id),
  );
  const ids = await commands.order(
    tx,
    step.told.map(({ device, toPercent }) => ({
      loggerID: device.loggerId,
      deviceID: device.id,
      kind: 'write',
      content: { values: { [OUTPUT_LIMIT]: toPercent } },
      source: 'ems',
      orderedBy,
      expiresMs: nowMs + (step.reason === 'released' ? RELEASE_EXPIRES_MS : EXPIRES_MS),
    })),
  );
  await noteSteps(
    tx,
    siteId,
    nowMs,
    step.told.map(({ device, fromPercent, toPercent }, place) => ({
      deviceId: device.id,
      reason: step.reason,
      gridW: step.gridW,
      capW: step.capW,
      fromPercent,
      toPercent,
      commandId: ids[place] ?? '',
    })),
  );
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
      if (isNew) this.#held.set(key, { siteId: id, lookedMs: 0, isDeciding: false, isStale: false });
      if (isNew || id === changedSiteId) this.#lookAt(key);
    }
    for (const siteId of await leftLimited(this.#uses.db, this.#readMs)) {
      // What is wrong at one of them keeps none of the others limited.
      await this.#letGo(siteId).catch((error: unknown) =>
        this.#uses.logger.warn({ err: error, site: siteId }, 'cannot free inverters of a limit'),
      );
    }
  }

  /** Frees inverters at which a limit of the portal is left over. */
  async #letGo(siteId: string): Promise<void> {
    const { db, commands, liveClock } = this.#uses;
    await inTransaction(db, async (tx) => {
      if ((await heldLimit(tx, siteId)) !== undefined) return;
      const nowMs = liveClock.nowMs();
      const step = releasing(await gridDevices(tx, siteId, nowMs));
      if (step.told.length > 0) await giveSteps(tx, commands, siteId, step, nowMs);
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
    const { db, commands, liveClock } = this.#uses;
    await inTransaction(db, async (tx) => {
      const limit = await heldLimit(tx, siteId);
      if (limit === undefined) return;
      const nowMs = liveClock.nowMs();
      const [devices, grid] = [await gridDevices(tx, siteId, nowMs), await gridPower(tx, siteId)];
      const plantMs = grid?.ts?.getTime() ?? null;
      const measured = { gridW: grid?.gridW ?? null, measuredMs: measuredMs(devices, plantMs) };
      const step = nextStep(measured, devices, limit.exportLimitW, nowMs);
      if (step.told.length === 0) return;
      for (const { device } of step.told) this.#askedOf.set(device.id, held);
      await giveSteps(tx, commands, siteId, step, nowMs);
    });
  }
}
