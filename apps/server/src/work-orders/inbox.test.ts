import { messageEndpoints } from '@sonnenwarte/contract/messages/messages';
import { workOrderEndpoints as calls } from '@sonnenwarte/contract/work-orders/work-orders';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, type OrderWorld, orderWorld, type Somebody } from '../testing/order-fixture.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';

let plants: PlantsFixture;
let world: OrderWorld;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = Date.UTC(2026, 5, 16, 11, 0);
  world = await orderWorld(plants);
});
afterAll(() => plants.stop());

const inbox = async ({ token }: Somebody) =>
  (await plants.read(messageEndpoints.list, { condition: { kinds: ['workOrder'] } }, token)).messages.map(
    ({ event, recordID, subject }) => ({ event, recordID, subject }),
  );

test('what happens to an order comes into the inbox of whom it is for, and nothing internal into that of who asked', async () => {
  const { owner, installer, colleague, agent, other } = world.people;
  const { orderID } = await ask(plants, world);
  const of = (event: string) => ({ event, recordID: orderID, subject: 'String 3 brings too little' });
  expect(await inbox(installer)).toEqual([of('created')]);
  expect(await inbox(owner)).toEqual([]);

  await plants.read(calls.assign, { id: orderID, accountID: colleague.id }, installer.token);
  await plants.read(calls.message, { id: orderID, text: 'Only among us.', internal: true }, installer.token);
  // One message as long as it is unread, with what happened last.
  expect(await inbox(colleague)).toEqual([of('answered')]);
  expect(await inbox(installer)).toEqual([of('created')]);
  expect((await inbox(owner)).filter(({ event }) => event === 'answered')).toEqual([]);

  await plants.read(calls.message, { id: orderID, text: 'We look at it.' }, colleague.token);
  expect(await inbox(owner)).toContainEqual(of('answered'));
  await plants.read(calls.handUp, { id: orderID }, colleague.token);
  expect(await inbox(agent)).toContainEqual(of('handedUp'));
  await plants.read(calls.solve, { id: orderID, text: 'A fuse was blown.' }, agent.token);
  expect(await inbox(owner)).toContainEqual(of('solved'));
  expect(await inbox(other)).toEqual([]);
});
