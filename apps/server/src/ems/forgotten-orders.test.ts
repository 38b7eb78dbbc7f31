import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ownCommands } from '../testing/command-orders.ts';
import { forgetOrders } from './steps.store.ts';

const own = ownCommands();
const LIMIT = 'Setting/ExportLimit';
const DAY_MS = 86_400_000;

it('orders of the controller go when they are too old and over, with what they changed; those of people, young and open ones stay', async () => {
  const inverter = await own.device();
  const order = async (value: number, source: 'ems' | 'hand'): Promise<string> => {
    const id = await own.order(inverter, { [LIMIT]: value }, { source });
    await own.ended(id, 'confirmed');
    return id;
  };
  const ofController = await order(4_000, 'ems');
  const ofPerson = await order(3_000, 'hand');
  const young = await order(2_000, 'ems');
  await inverter.end();
  await own.settled();
  const open = await own.order(inverter, { [LIMIT]: 1_000 }, { source: 'ems' });
  for (const id of [ofController, ofPerson, open]) {
    await sql`update commands set created_at = now() - interval '3 days' where id = ${id}`.execute(own.db);
  }
  expect(await forgetOrders(own.db, Date.now() - DAY_MS)).toBe(false);
  const { rows } = await sql<{ id: string }>`select id from commands order by id`.execute(own.db);
  expect(rows.map(({ id }) => id)).toEqual([ofPerson, young, open]);
  expect(await own.changes(inverter)).toMatchObject([
    { command_id: ofPerson, to_value: 3_000 },
    { command_id: young, to_value: 2_000 },
  ]);
});
