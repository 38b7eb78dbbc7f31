import { documentEndpoints as calls, MOST_COUNTED_DEVICES } from '@sonnenwarte/contract/documents/documents';
import type { Endpoint, Input } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES } from '@sonnenwarte/contract/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainJpeg } from '../testing/jpeg.ts';
import { type OrderWorld, orderWorld, type Somebody, sendFile } from '../testing/order-fixture.ts';
import { pdfOf } from '../testing/pdf.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { forgetUnlisted } from './documents.store.ts';

const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
let plants: PlantsFixture;
let world: OrderWorld;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  world = await orderWorld(plants);
  await plants.db.updateTable('devices').set({ model: 'HX-8K' }).where('id', '=', world.device.id).execute();
});
afterAll(() => plants.stop());

const send = (bytes: Uint8Array, { token }: Somebody = world.people.admin) =>
  sendFile(plants, calls.upload, bytes, token);
const call = <const E extends Endpoint>(endpoint: E, input: Input<E>, { token }: Somebody = world.people.admin) =>
  plants.call(endpoint, input, token);

type Facts = Partial<Input<typeof calls.add>['documents'][number]>;

/** A document of a file that was just uploaded. */
async function added(facts: Facts = {}): Promise<string> {
  const { result } = await send(pdfOf(['Made']));
  const documents = [
    { documentID: result.documentID, name: 'Made', type: 'userManual' as const, language: 'de' as const, ...facts },
  ];
  expect(await call(calls.add, { documents })).toMatchObject({ errno: 0 });
  return result.documentID;
}

const found = async (by: Somebody = world.people.installer): Promise<string[]> => {
  const { documents } = await plants.read(calls.deviceDocuments, { deviceID: world.device.id }, by.token);
  return documents.map(({ name }) => name);
};

test('only a PDF is taken, by what it is and not by what it is called, and is read back as it was', async () => {
  const page = Buffer.from('<html>%PDF-1.4 <script>alert(1)</script> %%EOF');
  const cut = pdfOf(['Half']).subarray(0, 200);
  for (const bytes of [page, await plainJpeg(8, 8), cut, Buffer.of()])
    expect(await send(bytes)).toMatchObject({ errno: errno.documentUnreadable });
  const manual = Buffer.concat([pdfOf(['Long']).subarray(0, -1), Buffer.alloc(1), Buffer.from('\n')]);
  const long = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_500_000, 'x'), manual]);
  const { result } = await send(long);
  expect(result.bytes).toBe(long.length);
  const response = await plants.fetch(calls.file, { documentID: result.documentID }, world.people.admin.token);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-disposition')).toContain('attachment');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(Buffer.from(await response.arrayBuffer()).equals(long)).toBe(true);
  await call(calls.takeBack, { documentID: result.documentID });
});

test('a file of 30 MB is taken, one byte more is not', async () => {
  const beginning = Buffer.from('%PDF-1.7\n');
  const end = Buffer.from('\n%%EOF\n');
  const of = (bytes: number) =>
    Buffer.concat([beginning, Buffer.alloc(bytes - beginning.length - end.length, 'x'), end]);
  expect(await send(of(MAX_UPLOAD_BYTES + 1))).toMatchObject({ errno: errno.fileTooLarge });
  const { result } = await send(of(MAX_UPLOAD_BYTES));
  expect(result.bytes).toBe(MAX_UPLOAD_BYTES);
  expect(await call(calls.takeBack, { documentID: result.documentID })).toMatchObject({ errno: 0 });
}, 60_000);

test('thirty files wait at most; what is wrong with one is said of that one, and the others stay', async () => {
  const ids: string[] = [];
  for (let file = 0; file < MAX_UPLOAD_FILES; file += 1) {
    if (file === 3) expect(await send(Buffer.from('no PDF'))).toMatchObject({ errno: errno.documentUnreadable });
    ids.push((await send(pdfOf([`File ${file}`]))).result.documentID);
  }
  expect(await send(pdfOf(['One more']))).toMatchObject({ errno: errno.tooManyUploads });
  const documents = ids.map((documentID, at) => ({
    documentID,
    name: `Bulk ${String(at).padStart(2, '0')}`,
    type: 'dataSheet' as const,
    language: 'en' as const,
    product: 'gateway' as const,
  }));
  const [first, ...others] = documents;
  // All or none: one that is somebody else's, or that is there twice, lets none through.
  const foreign = await call(calls.add, { documents: [...others, { ...first, documentID: world.device.id } as never] });
  expect(foreign).toMatchObject({ errno: errno.documentNotFound });
  expect((await call(calls.list, { condition: { content: 'Bulk' } })).result.total).toBe(0);
  expect(await call(calls.add, { documents: [...documents, ...documents.slice(0, 1)] })).toMatchObject({
    errno: errno.refusedInput,
  });
  expect(await call(calls.add, { documents })).toMatchObject({ errno: 0 });
  expect((await call(calls.list, { condition: { content: 'Bulk' }, pageSize: 50 })).result.documents).toHaveLength(30);
  expect(await send(pdfOf(['One more']))).toMatchObject({ errno: 0 });
  await forgetUnlisted(plants.db, new Date(NOW_MS + 1));
});

test('a device finds what is about its model, its kind and all kinds, and nothing else', async () => {
  await added({ name: 'Of its model', product: 'inverter', models: ['HX-5K', 'hx-8k'], language: 'en' });
  await added({ name: 'Of its kind', product: 'inverter' });
  await added({ name: 'Of all', product: null });
  await added({ name: 'Of another model', product: 'inverter', models: ['HX-5K'] });
  await added({ name: 'Of another kind', product: 'battery' });
  await added({ name: 'Of dataloggers', product: 'datalogger' });
  expect(await found()).toEqual(['Of its model', 'Of its kind', 'Of all']);
  expect(await found(world.people.owner)).toEqual(['Of its model', 'Of its kind', 'Of all']);
  const { logger_id } = await plants.db
    .selectFrom('devices')
    .select('logger_id')
    .where('id', '=', world.device.id)
    .executeTakeFirstOrThrow();
  const ofLogger = await plants.read(
    calls.dataloggerDocuments,
    { moduleID: String(logger_id) },
    world.people.installer.token,
  );
  expect(ofLogger.documents.map(({ name }) => name)).toEqual(['Of dataloggers', 'Of all']);
  // Whoever keeps them sees from how many devices each is found; others do not.
  const asked = { condition: { content: 'Of its model' } };
  const { documents } = (await call(calls.list, { pageSize: 50 })).result;
  const counts = Object.fromEntries(documents.map(({ name, devices }) => [name, devices]));
  const kinds = (await plants.db.selectFrom('devices').select('kind').execute()).map(({ kind }) => kind);
  const ofKind = (wanted: string) => kinds.filter((kind) => kind === wanted).length;
  const dataloggers = (await plants.db.selectFrom('loggers').select('id').execute()).length;
  expect(counts).toMatchObject({
    'Of its model': 1,
    'Of its kind': ofKind('inverter'),
    'Of all': kinds.length + dataloggers,
    'Of another model': 0,
    'Of another kind': ofKind('battery'),
    'Of dataloggers': dataloggers,
  });
  expect((await call(calls.list, asked, world.people.installer)).result.documents).toMatchObject([{ devices: null }]);
});

test('of a whole fleet no more devices are counted than need be', async () => {
  await sql`insert into loggers (sn) select (260000000800000 + each)::text from generate_series(1, ${MOST_COUNTED_DEVICES + 1}) as each`.execute(
    plants.db,
  );
  const { documents } = (await call(calls.list, { condition: { content: 'Of dataloggers' } })).result;
  expect(documents).toMatchObject([{ devices: MOST_COUNTED_DEVICES }]);
});

test('people of other plants do not learn of a device by its documents', async () => {
  const input = { deviceID: world.device.id };
  const refused = await call(calls.deviceDocuments, input, world.people.other);
  expect(refused).toMatchObject({ errno: errno.deviceNotFound });
  expect(await call(calls.deviceDocuments, { deviceID: world.site.id }, world.people.other)).toEqual(refused);
  expect(await call(calls.deviceDocuments, input, world.people.integrator)).toMatchObject({
    errno: errno.noPermission,
  });
});

test('the administrator alone uploads, edits and deletes, and a file is its sender’s until it is a document', async () => {
  const documentID = await added({ name: 'Kept' });
  const about = { documentID, name: 'Taken', type: 'other' as const, language: 'de' as const };
  for (const by of [world.people.owner, world.people.installer, world.people.agent, world.people.distributor]) {
    expect(await send(pdfOf(['Mine']), by)).toMatchObject({ errno: errno.noPermission });
    expect(await call(calls.edit, about, by)).toMatchObject({ errno: errno.noPermission });
    expect(await call(calls.remove, { documentID }, by)).toMatchObject({ errno: errno.noPermission });
  }
  const { result } = await send(pdfOf(['Not yet']));
  const hidden = await call(calls.file, { documentID: result.documentID }, world.people.installer);
  expect(hidden).toMatchObject({ errno: errno.documentNotFound });
  expect(hidden).toEqual(await call(calls.file, { documentID: world.site.id }, world.people.installer));
  expect(await call(calls.edit, { ...about, documentID: result.documentID })).toMatchObject({
    errno: errno.documentNotFound,
  });
});

test('an edited document is found as it is now, a deleted one nowhere, its file is gone and the log tells it', async () => {
  const documentID = await added({ name: 'Before', product: 'inverter' });
  const about = { documentID, name: 'After', type: 'warranty' as const, language: 'en' as const };
  const videoLink = 'https://video.example.com/1';
  expect(await call(calls.edit, { ...about, product: 'inverter', videoLink })).toMatchObject({ errno: 0 });
  expect(await found()).toContain('After');
  expect(await call(calls.edit, { ...about, videoLink: 'javascript:alert(1)' })).toMatchObject({
    errno: errno.refusedInput,
  });
  expect(await call(calls.remove, { documentID })).toMatchObject({ errno: 0 });
  expect(await found()).not.toContain('After');
  expect(await call(calls.file, { documentID })).toMatchObject({ errno: errno.documentNotFound });
  const parts = await plants.db
    .selectFrom('document_parts')
    .select('place')
    .where('document_id', '=', documentID)
    .execute();
  expect(parts).toEqual([]);
  const entries = await plants.db
    .selectFrom('audit_log')
    .select('action')
    .where('record_id', '=', documentID)
    .orderBy('id')
    .execute();
  expect(entries.map(({ action }) => action)).toEqual(['documents.add', 'documents.edit', 'documents.delete']);
});
