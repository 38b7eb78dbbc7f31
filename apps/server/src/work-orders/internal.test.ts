import { errno } from '@sonnenwarte/contract/errors';
import { liveEndpoints } from '@sonnenwarte/contract/live/live';
import { messageEndpoints } from '@sonnenwarte/contract/messages/messages';
import { workOrderEndpoints as calls } from '@sonnenwarte/contract/work-orders/work-orders';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainJpeg } from '../testing/jpeg.ts';
import { ask, type OrderWorld, orderWorld, type Somebody, sendFile } from '../testing/order-fixture.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
const names = ['owner', 'installer', 'colleague', 'agent', 'distributor', 'admin'] as const;
type Name = (typeof names)[number];

let plants: PlantsFixture;
let world: OrderWorld;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  world = await orderWorld(plants);
});
afterAll(() => plants.stop());

const passes = () => {
  plants.time.nowMs = (plants.time.nowMs ?? NOW_MS) + HOUR_MS;
};
const detail = ({ token }: Somebody, id: string) => plants.read(calls.detail, { id }, token);
const note = (by: Somebody, id: string, text: string, pictureIDs: string[] = []) =>
  plants.call(calls.message, { id, text, internal: true, pictureIDs }, by.token);
const handUp = (by: Name, id: string, text = 'Please measure.') =>
  plants.read(calls.handUp, { id, text }, world.people[by].token);
const askAbout = async (by: Name, aboutPlant: boolean) => {
  const question = { title: 'x', category: 'other', product: 'portal', text: 'x' } as const;
  const { token } = world.people[by];
  return (aboutPlant ? await ask(plants, world, world.people[by]) : await plants.read(calls.create, question, token))
    .orderID;
};

const down = async (id: string): Promise<void> => {
  await plants.read(calls.handDown, { id, organisationID: world.installer.id }, world.people.agent.token);
};

test.each<{
  what: string;
  by: Name;
  goes: readonly Name[];
  back?: true;
  aboutPlant?: false;
  readers: readonly Name[];
}>([
  {
    what: 'an owner asks',
    by: 'owner',
    goes: [],
    readers: ['installer', 'colleague', 'agent', 'distributor', 'admin'],
  },
  {
    what: 'an owner asks and the installer hands it up',
    by: 'owner',
    goes: ['installer'],
    readers: ['installer', 'colleague', 'agent', 'distributor', 'admin'],
  },
  {
    what: 'an installer asks and keeps it',
    by: 'installer',
    goes: [],
    readers: ['colleague', 'agent', 'distributor', 'admin'],
  },
  {
    what: 'an installer asks and hands it up',
    by: 'installer',
    goes: ['installer'],
    readers: ['agent', 'distributor', 'admin'],
  },
  {
    what: 'an installer asks, a colleague hands it up and the agent further',
    by: 'installer',
    goes: ['colleague', 'agent'],
    readers: ['agent', 'distributor', 'admin'],
  },
  {
    what: 'an installer asks, and gets it back from the agent',
    by: 'installer',
    goes: ['installer'],
    back: true,
    readers: ['agent', 'distributor', 'admin'],
  },
  {
    what: 'an agent asks the installer of the plant',
    by: 'agent',
    goes: [],
    readers: ['installer', 'colleague', 'distributor', 'admin'],
  },
  { what: 'an agent asks about no plant', by: 'agent', goes: [], aboutPlant: false, readers: ['distributor', 'admin'] },
  {
    what: 'the platform asks the installer of the plant',
    by: 'admin',
    goes: [],
    readers: ['installer', 'colleague', 'agent', 'distributor'],
  },
])(
  'what is internal is read by those alone who do not stand with whoever asked: $what',
  async ({ readers, ...told }) => {
    const id = await askAbout(told.by, told.aboutPlant ?? true);
    for (const each of told.goes) await handUp(each, id);
    if (told.back) await down(id);
    const saidMs = plants.time.nowMs;
    passes();
    const writer = world.people.distributor;
    const { result: picture } = await sendFile(plants, calls.uploadPicture, await plainJpeg(8, 8), writer.token);
    expect(await note(writer, id, 'Among us.', [picture.pictureID])).toMatchObject({ errno: 0 });

    const reads: Name[] = [];
    const sees: Name[] = [];
    for (const name of names) {
      const { token } = world.people[name];
      const answer = await plants.call(calls.detail, { id }, token);
      if (answer.errno === errno.workOrderNotFound) continue;
      sees.push(name);
      const { order, entries, internal } = answer.result;
      const isRead = entries.some(({ text }) => text === 'Among us.');
      if (isRead) reads.push(name);
      // Whatever tells of it says the same.
      expect([name, order.can.note, internal !== null, order.updateMs > (saidMs ?? 0)]).toEqual([
        name,
        isRead,
        isRead,
        isRead,
      ]);
      const { orders } = await plants.read(
        calls.list,
        { condition: { view: 'all' }, sort: { field: 'updateMs', order: 'desc' } },
        token,
      );
      const times = orders.map(({ updateMs }) => updateMs);
      expect([name, times]).toEqual([name, times.toSorted((one, other) => other - one)]);
      const shown = await plants.fetch(calls.picture, { id: picture.pictureID }, token);
      expect([name, shown.headers.get('content-type') === 'image/jpeg']).toEqual([name, isRead]);
      const thread = await plants.read(calls.thread, { id }, token);
      expect(thread.entries.some(({ isInternal }) => isInternal)).toBe(isRead);
    }
    expect(reads).toEqual(readers);
    expect(sees).toContain(told.by);
    expect(await note(world.people[told.by], id, 'x')).toMatchObject({ errno: errno.workOrderElsewhere });
  },
);

test('a note comes into no inbox and no log of whoever asked, nor does the portal tell that something was written', async () => {
  const { installer, colleague, agent, distributor } = world.people;
  const own = await askAbout('installer', true);
  const inbox = async ({ token }: Somebody, id: string) =>
    (await plants.read(messageEndpoints.list, {}, token)).messages.filter(({ recordID }) => recordID === id).length;
  await note(colleague, own, 'Whose is it?');
  expect(await inbox(installer, own)).toBe(0);
  expect(await inbox(colleague, own)).toBe(1);
  await handUp('installer', own, 'We cannot do it.');
  expect((await detail(installer, own)).entries.at(-1)).toMatchObject({ text: 'We cannot do it.', isInternal: false });

  const news = async (by: Somebody) => {
    const stream = await plants.open(liveEndpoints.stream, ['workOrderNotes'], by.token);
    const next = async (): Promise<number> => {
      for (let event = await stream.next(); event !== undefined; event = await stream.next())
        if (event.type === 'changed') return event.atMs;
      throw new Error('the stream has ended');
    };
    await next();
    return { next, leave: () => stream.leave() };
  };
  const [asking, with_, working] = [await news(installer), await news(colleague), await news(agent)];
  passes();
  await note(distributor, own, 'Let them wait.');
  expect(await working.next()).toBe(plants.time.nowMs);
  const other = await askAbout('owner', true);
  passes();
  await note(distributor, other, 'A fuse.');
  // The first that those hear for whom it was asked is of another order.
  for (const each of [asking, with_]) expect(await each.next()).toBe(plants.time.nowMs);
  for (const each of [asking, with_, working]) each.leave();

  const logged = await plants.db
    .selectFrom('audit_log')
    .select('organisation_path')
    .where('record_id', '=', own)
    .where('action', '=', 'work-orders.note')
    .execute();
  expect(logged).toHaveLength(2);
  for (const { organisation_path } of logged) {
    expect(organisation_path).toContain(world.agent.id);
    expect(organisation_path).not.toContain(world.installer.id);
  }
});
