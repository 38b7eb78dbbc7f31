import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import type { Envelope } from '@sonnenwarte/contract/envelope';
import { factoryEndpoints as calls } from '@sonnenwarte/contract/factory/factory';
import type { UnitRow } from '@sonnenwarte/contract/factory/units';
import { afterAll, beforeAll } from 'vitest';
import { sendFile } from './order-fixture.ts';
import { PlantsFixture } from './plants-fixture.ts';

/** An administrator, a manufacturer, and what is asked of the factory. */
export async function factoryWorld(plants: PlantsFixture) {
  const platform = await plants.addOrganisation('platform');
  const account = await plants.addAccount(platform.id, 255);
  const admin = plants.signInOf(account, platform.path);
  const read = <const E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Result<E>> =>
    plants.read(endpoint, input, admin);
  const call = <const E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Envelope<Result<E>>> =>
    plants.call(endpoint, input, admin);
  const { manufacturerID } = await read(calls.manufacturerAdd, { name: 'Heliowerk', country: 'DE' });
  let batches = 0;
  return {
    platform,
    account,
    admin,
    manufacturerID,
    read,
    call,
    /** A batch of inverters. */
    batch: async (facts: Partial<Input<typeof calls.batchAdd>> = {}): Promise<string> => {
      batches += 1;
      const number = `HW-${batches}`;
      const batch = { manufacturerID, number, kind: 'inverter' as const, model: 'HX-8K', deliveredOn: '2026-01-31' };
      return (await read(calls.batchAdd, { ...batch, ...facts })).batchID;
    },
    check: (batchID: string, file: string | Uint8Array, token = admin) =>
      sendFile(plants, calls.importCheck, Buffer.from(file as string), token, 'file', { batchID }),
    /** Imports a file without errors. */
    deliver: async (batchID: string, file: string): Promise<void> => {
      const { result } = await sendFile(plants, calls.importCheck, Buffer.from(file), admin, 'file', { batchID });
      await read(calls.importRun, { importID: result.importID });
    },
    units: async (condition: Input<typeof calls.unitList>['condition']): Promise<UnitRow[]> =>
      (await read(calls.unitList, { pageSize: 50, condition })).units,
  };
}

export type FactoryWorld = Awaited<ReturnType<typeof factoryWorld>>;

/** A factory of a test file's own, on a day that stands still. */
export class OwnFactory {
  readonly nowMs = Date.UTC(2026, 5, 16, 11, 0);
  #plants: PlantsFixture | undefined;
  #world: FactoryWorld | undefined;

  get plants(): PlantsFixture {
    if (this.#plants === undefined) throw new Error('the stores are not started');
    return this.#plants;
  }

  get world(): FactoryWorld {
    if (this.#world === undefined) throw new Error('the factory is not made');
    return this.#world;
  }

  async start(): Promise<void> {
    this.#plants = await PlantsFixture.start();
    this.#plants.time.nowMs = this.nowMs;
    this.#world = await factoryWorld(this.#plants);
  }

  async end(): Promise<void> {
    await this.#plants?.stop();
  }
}

export function ownFactory(): OwnFactory {
  const own = new OwnFactory();
  beforeAll(() => own.start());
  afterAll(() => own.end());
  return own;
}
