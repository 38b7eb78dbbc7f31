import { errno } from '@sonnenwarte/contract/errors';
import { liveEndpoints } from '@sonnenwarte/contract/live/live';
import { CLOSED_AFTER_MS, REOPENED_WITHIN_MS } from '@sonnenwarte/contract/work-orders/order-states';
import { workOrderEndpoints as calls, MOST_ORDERS_A_DAY } from '@sonnenwarte/contract/work-orders/work-orders';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask, type OrderWorld, orderWorld, type Somebody } from '../testing/order-fixture.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { closeWhatIsSolved } from './closing.ts';
import { toldToPeople } from './told-to-people.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
let plants: PlantsFixture;
let world: OrderWorld;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
});
afterAll(() => plants.stop());
beforeEach(async () => {
  plants.time.nowMs = NOW_MS;
  world = await orderWorld(plants);
});

const passes = (ms: number) => {
  plants.time.nowMs = (plants.time.nowMs ?? NOW_MS) + ms;
};
const detail = ({ token }: Somebody, id: string) => plants.read(calls.detail, { id }, token);
const listed = async ({ token }: Somebody, view: 'open' | 'mine' | 'late' | 'waiting' | 'done' | 'all' = 'all') =>
  (await plants.read(calls.list, { condition: { view } }, token)).orders;
const say = (by: Somebody, id: string, text: string, more: { internal?: boolean; waits?: boolean } = {}) =>
  plants.read(calls.message, { id, text, ...more }, by.token);

describe('who sees an order', () => {
  test('is who asked, the organisation of its plant and those above it; to others it is as one that does not exist', async () => {
    const { orderID, number } = await ask(plants, world);
    expect(number).toMatch(/^WO-2026-\d{6,}$/);
    const { owner, installer, agent, distributor, admin, neighbour, other, integrator } = world.people;
    for (const each of [owner, installer, agent, distributor, admin]) {
      expect((await detail(each, orderID)).order).toMatchObject({
        orderID,
        number,
        state: 'turnedOn',
        plantName: 'Livada',
      });
    }
    const missing = await plants.call(calls.detail, { id: world.site.id }, neighbour.token);
    expect(missing).toMatchObject({ errno: errno.workOrderNotFound });
    for (const each of [neighbour, other]) {
      expect(await plants.call(calls.detail, { id: orderID }, each.token)).toEqual(missing);
      expect(await listed(each)).toEqual([]);
      expect(await plants.call(calls.message, { id: orderID, text: 'x' }, each.token)).toMatchObject({
        errno: errno.workOrderNotFound,
      });
    }
    expect(await plants.call(calls.detail, { id: orderID }, integrator.token)).toMatchObject({
      errno: errno.noPermission,
    });
  });

  test('changes with its plant: the new installer has it, the former sees nothing of it any more', async () => {
    const { orderID } = await ask(plants, world);
    await say(world.people.installer, orderID, 'A part is ordered.', { internal: true });
    await plants.db
      .updateTable('sites')
      .set({ organisation_id: world.other.id })
      .where('id', '=', world.site.id)
      .execute();
    expect(await listed(world.people.installer)).toEqual([]);
    const { order, entries } = await detail(world.people.other, orderID);
    expect(order).toMatchObject({ holderID: world.other.id, assignee: '', can: { work: true } });
    expect(entries.at(-1)).toMatchObject({ kind: 'movedWithPlant' });
    expect(await listed(world.people.owner)).toHaveLength(1);
  });

  test('holds the values of its moment, and what is about a stranger’s device is not opened', async () => {
    const { orderID } = await ask(plants, world);
    const { entries } = await detail(world.people.owner, orderID);
    expect(entries.map(({ kind }) => kind)).toEqual(['opened', 'snapshot']);
    expect(entries[1]?.values).toEqual([
      expect.objectContaining({ variable: 'DC/Mppt1/Power', value: 2140, unit: 'W', tsMs: NOW_MS }),
      expect.objectContaining({ variable: 'DC/Mppt2/Power', value: 1630, unit: 'W', tsMs: NOW_MS }),
    ]);
    const question = { title: 'x', category: 'fault', product: 'inverter', text: 'x' } as const;
    const asked = await plants.call(calls.create, { ...question, deviceID: world.device.id }, world.people.other.token);
    expect(asked).toMatchObject({ errno: errno.deviceNotFound });
  });
});

describe('what is internal', () => {
  test('is in no answer to whoever asked, nor a hint of it: texts, counts, times, lists, files and live news', async () => {
    const { owner, installer, agent } = world.people;
    const { orderID } = await ask(plants, world);
    passes(HOUR_MS);
    await say(installer, orderID, 'We come on Thursday.');
    const live = await plants.open(liveEndpoints.stream, ['workOrders', 'workOrderNotes'], owner.token);
    const staff = await plants.open(liveEndpoints.stream, ['workOrderNotes'], agent.token);
    const heard: unknown[] = [];
    for (let event = await live.next(); event && event.type !== 'changed'; event = await live.next()) heard.push(event);
    expect(heard).toContainEqual({ type: 'gone', subject: 'workOrderNotes' });
    for (let event = await staff.next(); event && event.type !== 'changed'; event = await staff.next());

    const before = await Promise.all([
      plants.call(calls.detail, { id: orderID }, owner.token),
      plants.call(calls.thread, { id: orderID }, owner.token),
      plants.call(calls.list, { condition: { view: 'all' } }, owner.token),
      plants.call(calls.summary, {}, owner.token),
      plants.call(calls.list, { condition: { view: 'all', content: 'secretword' } }, owner.token),
    ]);
    const fileOf = async () => {
      const response = await plants.fetch(
        calls.exportList,
        { condition: { view: 'all' }, columns: ['number', 'title', 'updateMs', 'assignee'], format: 'csv' },
        owner.token,
      );
      return response.text();
    };
    const fileBefore = await fileOf();
    const news: unknown[] = [];
    const stopHearing = plants.bus.subscribe(
      ({ orders, noted }) => void news.push(...(orders ? ['orders'] : noted ? [noted] : [])),
    );
    passes(HOUR_MS);
    await say(installer, orderID, 'Its secretword is under warranty.', { internal: true });
    const after = await Promise.all([
      plants.call(calls.detail, { id: orderID }, owner.token),
      plants.call(calls.thread, { id: orderID }, owner.token),
      plants.call(calls.list, { condition: { view: 'all' } }, owner.token),
      plants.call(calls.summary, {}, owner.token),
      plants.call(calls.list, { condition: { view: 'all', content: 'secretword' } }, owner.token),
    ]);
    expect(after).toEqual(before);
    expect(await fileOf()).toBe(fileBefore);
    expect(JSON.stringify(after)).not.toContain('secretword');

    const ofAgent = await detail(agent, orderID);
    expect(ofAgent.internal).toBe(1);
    expect(ofAgent.order.updateMs).toBe(NOW_MS + 2 * HOUR_MS);
    expect(ofAgent.entries.at(-1)).toMatchObject({ kind: 'note', isInternal: true });
    let noted = await staff.next();
    while (noted && noted.type !== 'changed') noted = await staff.next();
    expect(noted).toMatchObject({ subject: 'workOrderNotes' });
    stopHearing();
    expect(news).toEqual([{ accountId: owner.id, organisationID: null }]);
    live.leave();
    staff.leave();
    expect(await plants.call(calls.message, { id: orderID, text: 'x', internal: true }, owner.token)).toMatchObject({
      errno: errno.workOrderElsewhere,
    });
  });
});

describe('the way of an order', () => {
  test('goes from the installer up to the platform and no further, and down to an organisation on the way alone', async () => {
    const { installer, agent, distributor, admin } = world.people;
    const { orderID } = await ask(plants, world);
    await say(installer, orderID, 'Thank you!');
    for (const [by, to] of [
      [installer, world.agent.id],
      [agent, world.distributor.id],
      [distributor, world.platform.id],
    ] as const) {
      await plants.read(calls.handUp, { id: orderID, text: 'Please measure.' }, by.token);
      expect((await detail(admin, orderID)).order).toMatchObject({ state: 'upgraded', holderID: to, assignee: '' });
      expect((await detail(by, orderID)).order.can).toMatchObject({ work: false, handUp: false, answer: true });
    }
    expect(await plants.call(calls.handUp, { id: orderID }, admin.token)).toMatchObject({
      errno: errno.workOrderAtTop,
    });
    expect(await plants.call(calls.handUp, { id: orderID }, agent.token)).toMatchObject({
      errno: errno.workOrderElsewhere,
    });
    const down = (organisationID: string) => plants.call(calls.handDown, { id: orderID, organisationID }, admin.token);
    expect(await down(world.other.id)).toMatchObject({ errno: errno.workOrderNotBelow });
    expect(await down(world.agent.id)).toMatchObject({ errno: 0 });
    const { order, way, above, below } = await detail(agent, orderID);
    expect(order).toMatchObject({ state: 'processing', holderID: world.agent.id });
    expect(way.map(({ state }) => state)).toEqual(['turnedOn', 'processing', 'upgraded', 'processing']);
    expect(above?.organisationID).toBe(world.distributor.id);
    expect(below.map(({ organisationID }) => organisationID)).toEqual([world.installer.id]);
  });

  test('is given to people of the organisation that has it, and to nobody else', async () => {
    const { installer, colleague, agent, owner } = world.people;
    const { orderID } = await ask(plants, world);
    const { choices } = await plants.read(calls.assignees, { orderID }, installer.token);
    expect(choices.map(({ id }) => id).toSorted()).toEqual([installer.id, colleague.id].toSorted());
    const give = (accountID: string) => plants.call(calls.assign, { id: orderID, accountID }, installer.token);
    expect(await give(agent.id)).toMatchObject({ errno: errno.assigneeNotOfHolder });
    expect(await give(owner.id)).toMatchObject({ errno: errno.assigneeNotOfHolder });
    expect(await give(colleague.id)).toMatchObject({ errno: 0 });
    expect(await listed(colleague, 'mine')).toMatchObject([{ orderID, state: 'processing', assigneeID: colleague.id }]);
    expect(await listed(installer, 'mine')).toEqual([]);
    expect(await plants.call(calls.begin, { id: orderID }, agent.token)).toMatchObject({
      errno: errno.workOrderElsewhere,
    });
  });

  test('is solved by who has it, rated once by who asked, which closes it, and reopened within thirty days', async () => {
    const { owner, installer, agent } = world.people;
    const { orderID } = await ask(plants, world);
    const rate = (by: Somebody) => plants.call(calls.rate, { id: orderID, stars: 5, text: 'Quick!' }, by.token);
    expect(await rate(owner)).toMatchObject({ errno: errno.workOrderElsewhere });
    await plants.read(calls.solve, { id: orderID, text: 'The fuse was blown.' }, installer.token);
    expect(await rate(installer)).toMatchObject({ errno: errno.workOrderElsewhere });
    expect(await rate(agent)).toMatchObject({ errno: errno.workOrderElsewhere });
    await plants.read(calls.reopen, { id: orderID, text: 'It is back.' }, owner.token);
    await plants.read(calls.solve, { id: orderID, text: 'Now the module as well.' }, installer.token);
    expect(await rate(owner)).toMatchObject({ errno: 0 });
    expect(await rate(owner)).toMatchObject({ errno: errno.workOrderElsewhere });
    expect((await detail(installer, orderID)).order).toMatchObject({ state: 'closed', stars: 5 });
    expect(await plants.call(calls.message, { id: orderID, text: 'x' }, owner.token)).toMatchObject({
      errno: errno.workOrderElsewhere,
    });
    passes(REOPENED_WITHIN_MS);
    const again = () => plants.call(calls.reopen, { id: orderID, text: 'Again.' }, owner.token);
    expect(await again()).toMatchObject({ errno: 0 });
    expect((await detail(owner, orderID)).order).toMatchObject({ state: 'processing', stars: null });
    await plants.read(calls.close, { id: orderID }, owner.token);
    passes(REOPENED_WITHIN_MS + 1);
    expect(await again()).toMatchObject({ errno: errno.workOrderTooLate });
  });

  test('ends by itself two weeks after it was solved, unless somebody says something', async () => {
    const { owner, installer } = world.people;
    const [quiet, spoken] = [await ask(plants, world), await ask(plants, world)];
    for (const { orderID } of [quiet, spoken]) {
      await plants.read(calls.solve, { id: orderID, text: 'Done.' }, installer.token);
    }
    passes(CLOSED_AFTER_MS - HOUR_MS);
    await say(owner, spoken.orderID, 'I still watch it.');
    passes(2 * HOUR_MS);
    await closeWhatIsSolved(plants.db, plants.time.nowMs ?? 0);
    expect((await detail(owner, quiet.orderID)).entries.at(-1)).toMatchObject({
      kind: 'closedByItself',
      side: 'portal',
    });
    expect((await detail(owner, spoken.orderID)).order.state).toBe('solved');
  });
});

describe('the clock of an order', () => {
  test('stands still while an answer is awaited; what is late is found, and what is due next comes first', async () => {
    const { owner, installer } = world.people;
    const waiting = await ask(plants, world);
    passes(HOUR_MS);
    const running = await ask(plants, world);
    await say(installer, waiting.orderID, 'Since when?', { waits: true });
    expect(await listed(installer, 'waiting')).toMatchObject([{ orderID: waiting.orderID, dueMs: null }]);
    passes(8 * HOUR_MS + 1);
    expect((await listed(installer, 'late')).map(({ orderID }) => orderID)).toEqual([running.orderID]);
    expect((await listed(installer, 'open')).map(({ orderID }) => orderID)).toEqual([running.orderID, waiting.orderID]);
    await say(owner, waiting.orderID, 'Since Monday.');
    const { order } = await detail(installer, waiting.orderID);
    expect(order).toMatchObject({ isWaiting: false, stillMs: 8 * HOUR_MS + 1, answeredAtMs: NOW_MS + HOUR_MS });
    expect(order.dueMs).toBe(NOW_MS + 48 * HOUR_MS + 8 * HOUR_MS + 1);
    expect((await plants.read(calls.summary, {}, installer.token)).counts).toEqual({
      open: 2,
      mine: 0,
      late: 1,
      waiting: 0,
    });
  });

  test('is answered by those who work on it, not by who asked', async () => {
    const { owner, installer } = world.people;
    const { orderID } = await ask(plants, world);
    await say(owner, orderID, 'And one more thing.');
    expect((await detail(owner, orderID)).order).toMatchObject({ answeredAtMs: null, state: 'turnedOn' });
    await say(installer, orderID, 'Only among us.', { internal: true });
    expect((await detail(owner, orderID)).order).toMatchObject({ answeredAtMs: null, state: 'turnedOn' });
    passes(HOUR_MS);
    await say(installer, orderID, 'We look at it.');
    expect((await detail(owner, orderID)).order).toMatchObject({ answeredAtMs: NOW_MS + HOUR_MS, state: 'processing' });
  });
});

test('an event is told to who asked, who was given the order, or, as long as it is nobody’s, the people who have it; never an internal one to who asked', async () => {
  const { owner, installer, colleague, agent } = world.people;
  const { orderID } = await ask(plants, world);
  const told = async (event: 'created' | 'answered', byAccountId: string, isInternal = false) =>
    (await toldToPeople(plants.db, { orderId: orderID, event, byAccountId, isInternal })).map(
      ({ accountId, as }) => `${as} ${accountId}`,
    );
  const ofInstaller = [`holder ${installer.id}`, `holder ${colleague.id}`].toSorted();
  expect((await told('created', owner.id)).toSorted()).toEqual(ofInstaller);
  await plants.read(calls.assign, { id: orderID, accountID: colleague.id }, installer.token);
  expect((await told('answered', agent.id)).toSorted()).toEqual(
    [`asker ${owner.id}`, `assignee ${colleague.id}`].toSorted(),
  );
  expect(await told('answered', agent.id, true)).toEqual([`assignee ${colleague.id}`]);
  expect(await told('answered', colleague.id)).toEqual([`asker ${owner.id}`]);
});

test('what nobody has solved is not rated, though who asked has closed it; opened again and solved it is', async () => {
  const { owner, installer } = world.people;
  const { orderID } = await ask(plants, world);
  const rate = () => plants.call(calls.rate, { id: orderID, stars: 1 }, owner.token);
  await plants.read(calls.close, { id: orderID }, owner.token);
  expect((await detail(owner, orderID)).order.can.rate).toBe(false);
  expect(await rate()).toMatchObject({ errno: errno.workOrderElsewhere });
  await plants.read(calls.reopen, { id: orderID, text: 'Yet it is.' }, owner.token);
  await plants.read(calls.solve, { id: orderID, text: 'Done.' }, installer.token);
  await plants.read(calls.close, { id: orderID }, owner.token);
  expect(await rate()).toMatchObject({ errno: 0 });
});

test('an end user writes a bounded number of times in ten minutes, whatever the order; who answers many writes more', async () => {
  const { owner, installer } = world.people;
  const [one, other] = [await ask(plants, world), await ask(plants, world)];
  const write = (by: Somebody, { orderID }: { orderID: string }) =>
    plants.call(calls.message, { id: orderID, text: 'And?' }, by.token);
  for (let count = 0; count < 10; count += 1)
    for (const order of [one, other]) expect(await write(owner, order)).toMatchObject({ errno: 0 });
  expect(await write(owner, one)).toMatchObject({
    errno: errno.tryLater,
    result: { retryAfterMs: expect.any(Number) },
  });
  expect(await plants.call(calls.close, { id: one.orderID }, owner.token)).toMatchObject({ errno: errno.tryLater });
  for (let count = 0; count < 21; count += 1) expect(await write(installer, one)).toMatchObject({ errno: 0 });
});

test('an account opens a bounded number of orders in a day', async () => {
  const { owner } = world.people;
  const at = new Date(NOW_MS);
  await plants.db
    .insertInto('work_orders')
    .values(
      Array.from({ length: MOST_ORDERS_A_DAY }, () => ({
        title: 'x',
        category: 'other' as const,
        product: 'plant' as const,
        organisation_id: world.installer.id,
        holder_id: world.installer.id,
        assignee_id: null,
        asked_by: owner.id,
        site_id: null,
        device_id: null,
        incident_id: null,
        alarm_code: null,
        asked_at: at,
        updated_at: at,
        touched_at: at,
        answer_due_at: at,
        solution_due_at: at,
        answered_at: null,
        still_since: null,
        solved_at: null,
        closed_at: null,
        stars: null,
      })),
    )
    .execute();
  const question = { title: 'x', category: 'other', product: 'portal', text: 'x' } as const;
  expect(await plants.call(calls.create, question, owner.token)).toMatchObject({ errno: errno.tooManyWorkOrders });
  passes(DAY_MS);
  expect(await plants.call(calls.create, question, owner.token)).toMatchObject({ errno: 0 });
});

test('templates of answers are those of the own organisation and of all above it; only the own ones are changed', async () => {
  const { installer, agent, other, distributor } = world.people;
  const entered = { name: 'Thanks', text: 'Dear {name}, thank you for {number}.' };
  const { templateID } = await plants.read(calls.addTemplate, entered, agent.token);
  const seen = async ({ token }: Somebody) =>
    (await plants.read(calls.templates, {}, token)).templates.map(({ name, can }) => [name, can.edit]);
  expect(await seen(agent)).toEqual([['Thanks', true]]);
  expect(await seen(installer)).toEqual([['Thanks', false]]);
  expect(await seen(other)).toEqual([['Thanks', false]]);
  expect(await seen(distributor)).toEqual([]);
  const change = { id: templateID, ...entered, name: 'Other' };
  expect(await plants.call(calls.editTemplate, change, installer.token)).toMatchObject({
    errno: errno.answerTemplateNotFound,
  });
  await plants.read(calls.editTemplate, change, agent.token);
  await plants.read(calls.removeTemplate, { id: templateID }, agent.token);
  expect(await seen(installer)).toEqual([]);
});
