import { DeviceLedger } from '@sonnenwarte/energy/accounting/buckets';
import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import type { Database } from '../stores/schema.ts';
import { Openings } from './openings.ts';

test('what a ledger found out and could not be accounted is not known: the next one finds it again', () => {
  const openings = new Openings({} as Kysely<Database>);
  const device = { opening: { load: [5, 7] } } as unknown as DeviceEntry;
  const before = { ...device.opening };
  const ledger = new DeviceLedger();
  for (const [tsMs, pv] of [
    [0, 1_000],
    [300_000, 1_010],
  ] as const)
    ledger.add({ tsMs, powers: {}, counters: { pv } });
  openings.take(device, ledger);
  expect(device.opening).toEqual({ load: [5, 7], pv: [0, 1_000] });
  openings.restore(device, before);
  expect(device.opening).toEqual({ load: [5, 7] });
});
