import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { errno } from '@sonnenwarte/contract/errors';
import {
  LONGEST_SIDE_PX,
  MOST_PICTURE_BYTES,
  MOST_UNUSED_PICTURES,
} from '@sonnenwarte/contract/work-orders/work-order';
import { workOrderEndpoints as calls } from '@sonnenwarte/contract/work-orders/work-orders';
import { imageSize } from 'image-size';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromCamera, plainJpeg } from '../testing/jpeg.ts';
import { ask, type OrderWorld, orderWorld, type Somebody, sendFile } from '../testing/order-fixture.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { forgetUnused } from './pictures.store.ts';

const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
let plants: PlantsFixture;
let world: OrderWorld;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  world = await orderWorld(plants);
});
afterAll(() => plants.stop());

const send = ({ token }: Somebody, bytes: Uint8Array) => sendFile(plants, calls.uploadPicture, bytes, token);
const shown = ({ token }: Somebody, id: string, size: 'thumb' | 'full' = 'full') =>
  plants.fetch(calls.picture, { id, size }, token);
const isShown = async (by: Somebody, id: string) => (await shown(by, id)).headers.get('content-type') === 'image/jpeg';

test('a picture is made anew: upright, bounded, and without the place where it was taken', async () => {
  const taken = fromCamera(await plainJpeg(2_400, 1_200));
  expect(taken.includes('Exif')).toBe(true);
  const { result } = await send(world.people.owner, taken);
  expect(result).toMatchObject({ width: LONGEST_SIDE_PX / 2, height: LONGEST_SIDE_PX });
  const response = await shown(world.people.owner, result.pictureID);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-disposition')).toContain('attachment');
  const kept = Buffer.from(await response.arrayBuffer());
  expect(imageSize(kept)).toMatchObject({ type: 'jpg', width: LONGEST_SIDE_PX / 2, height: LONGEST_SIDE_PX });
  for (const trace of ['Exif', 'GPS', 'II*', 'ICC_PROFILE', 'http']) expect(kept.includes(trace)).toBe(false);
  const thumb = Buffer.from(await (await shown(world.people.owner, result.pictureID, 'thumb')).arrayBuffer());
  expect(imageSize(thumb)).toMatchObject({ width: 200, height: 400 });
});

test('what is no picture, or too large a one, is refused by what it is and not by what it is called', async () => {
  const { owner } = world.people;
  const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const broken = (await plainJpeg(64, 64)).subarray(0, 40);
  for (const bytes of [page, readFileSync(import.meta.filename), broken, Buffer.of()]) {
    expect(await send(owner, bytes)).toMatchObject({ errno: errno.pictureUnreadable });
  }
  expect(await send(owner, Buffer.alloc(MOST_PICTURE_BYTES + 1, 1))).toMatchObject({ errno: errno.pictureTooLarge });
  expect(await send(owner, vastPng(20_000, 20_000))).toMatchObject({ errno: errno.pictureTooLarge });
  expect(await sendFile(plants, calls.uploadPicture, page, owner.token, 'other')).toMatchObject({
    errno: errno.refusedInput,
  });
  // After all of that the next one is made.
  expect(await send(owner, await plainJpeg(8, 8))).toMatchObject({ errno: 0 });
});

test('a picture is seen by who sees its entry alone, and belongs to one entry of whoever sent it', async () => {
  const { owner, neighbour, installer, agent, other } = world.people;
  const { orderID } = await ask(plants, world);
  const { result: own } = await send(owner, await plainJpeg(8, 8));
  expect(await isShown(owner, own.pictureID)).toBe(true);
  expect(await isShown(installer, own.pictureID)).toBe(false);
  const write = (by: Somebody, pictureIDs: string[], internal = false) =>
    plants.call(calls.message, { id: orderID, text: '', internal, pictureIDs }, by.token);
  expect(await write(installer, [own.pictureID])).toMatchObject({ errno: errno.pictureNotFound });
  expect(await write(owner, [own.pictureID])).toMatchObject({ errno: 0 });
  expect(await write(owner, [own.pictureID])).toMatchObject({ errno: errno.pictureNotFound });
  for (const each of [owner, installer, agent]) expect(await isShown(each, own.pictureID)).toBe(true);
  for (const each of [neighbour, other]) expect(await isShown(each, own.pictureID)).toBe(false);

  const { result: noted } = await send(installer, await plainJpeg(8, 8));
  expect(await write(installer, [noted.pictureID], true)).toMatchObject({ errno: 0 });
  expect(await isShown(agent, noted.pictureID)).toBe(true);
  const refused = await plants.call(calls.picture, { id: noted.pictureID }, owner.token);
  expect(refused).toEqual(await plants.call(calls.picture, { id: orderID }, owner.token));
  expect(refused).toMatchObject({ errno: errno.pictureNotFound });
  const { entries } = await plants.read(calls.detail, { id: orderID }, owner.token);
  expect(entries.flatMap(({ pictures }) => pictures.map(({ pictureID }) => pictureID))).toEqual([own.pictureID]);
});

test('pictures that are in no entry are bounded and taken back, and go after a day', async () => {
  const { colleague, installer } = world.people;
  const bytes = await plainJpeg(8, 8);
  const { result: first } = await send(colleague, bytes);
  await plants.db
    .insertInto('work_order_pictures')
    .values(
      Array.from({ length: MOST_UNUSED_PICTURES - 1 }, () => ({
        order_id: null,
        entry_id: null,
        account_id: colleague.id,
        sent_at: new Date(NOW_MS),
        width: 1,
        height: 1,
        content: Buffer.of(1),
        thumb: Buffer.of(1),
      })),
    )
    .execute();
  expect(await send(colleague, bytes)).toMatchObject({ errno: errno.tooManyPictures });
  // Before anything is made of it: what cannot be made is not even looked at.
  expect(await send(colleague, Buffer.of(1))).toMatchObject({ errno: errno.tooManyPictures });
  expect(await plants.call(calls.removePicture, { id: first.pictureID }, installer.token)).toMatchObject({
    errno: errno.pictureNotFound,
  });
  await plants.read(calls.removePicture, { id: first.pictureID }, colleague.token);
  expect(await send(colleague, bytes)).toMatchObject({ errno: 0 });
  await forgetUnused(plants.db, new Date(NOW_MS + 1));
  expect(await isShown(colleague, first.pictureID)).toBe(false);
  const left = await plants.db.selectFrom('work_order_pictures').select('id').where('entry_id', 'is', null).execute();
  expect(left).toEqual([]);
});

/** A picture of a few bytes that says it is vast. */
function vastPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(16))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
