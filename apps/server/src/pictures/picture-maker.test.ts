import { errno } from '@sonnenwarte/contract/errors';
import { LONGEST_SIDE_PX } from '@sonnenwarte/contract/work-orders/work-order';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../changes/live-clock.ts';
import { plainJpeg } from '../testing/jpeg.ts';
import { coarser } from './coarser.ts';
import { PictureMaker } from './picture-maker.ts';

let maker: PictureMaker;
afterEach(() => maker.stop());

const bytes = await plainJpeg(8, 8);

test('accounts take turns: one that sends many is waited for once', async () => {
  maker = new PictureMaker(systemClock(Date.now));
  const made: string[] = [];
  const send = async (account: string, place: number) => {
    await maker.make(bytes, 'photo', account);
    made.push(`${account}${place}`);
  };
  const sent = [send('a', 1), send('a', 2), send('a', 3), send('b', 1), send('c', 1), send('b', 2)];
  expect([maker.pendingOf('a'), maker.pendingOf('b'), maker.pendingOf('d')]).toEqual([3, 2, 0]);
  await Promise.all(sent);
  expect(made).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(maker.pendingOf('a')).toBe(0);
});

test('few of one account wait, and where all places are taken whoever has most of them gives one up', async () => {
  maker = new PictureMaker(systemClock(Date.now));
  const make = (account: string) =>
    new Promise<number>((resolve) => {
      const refused = ({ errno: number }: { errno: number }) => resolve(number);
      try {
        maker.make(bytes, 'photo', account).then(() => resolve(0), refused);
      } catch (error) {
        refused(error as { errno: number });
      }
    });
  const sent = ['a', 'b', 'c'].map((account) => Array.from({ length: 5 }, () => make(account)));
  const [d, e] = [make('d'), make('d')];
  const [ofA, ofB, ofC] = await Promise.all(sent.map((each) => Promise.all(each)));
  expect(await Promise.all([d, e])).toEqual([0, 0]);
  // Of the first one is being made, four wait; of each of the others four wait, of which each gives one up at most.
  expect(ofA?.concat(ofB ?? [], ofC ?? []).filter((each) => each === errno.tryLater)).toHaveLength(4);
  for (const each of [ofA, ofB, ofC]) expect(each?.filter((number) => number === 0).length).toBeGreaterThanOrEqual(3);
});

test('what is far larger than it is kept is made as large as it is kept, however narrow', async () => {
  maker = new PictureMaker(systemClock(Date.now));
  const sizeOf = async (width: number, height: number) => {
    const made = await maker.make(await plainJpeg(width, height), 'photo', 'a');
    return [made.width, made.height];
  };
  expect(await sizeOf(4_300, 2_150)).toEqual([LONGEST_SIDE_PX, LONGEST_SIDE_PX / 2]);
  expect(await sizeOf(6_200, 2)).toEqual([LONGEST_SIDE_PX, 1]);
});

test('squares of pixels become their mean, as far as they are seen', () => {
  maker = new PictureMaker(systemClock(Date.now));
  const pixel = (grey: number, alpha: number) => [grey, grey, grey, alpha];
  const data = new Uint8ClampedArray([
    ...[pixel(10, 255), pixel(30, 255), pixel(200, 0), pixel(100, 255), pixel(1, 1)].flat(),
    ...[pixel(20, 255), pixel(40, 255), pixel(100, 255), pixel(7, 0), pixel(1, 1)].flat(),
  ]);
  const { data: made, ...size } = coarser({ data, width: 5, height: 2 }, 2);
  expect(size).toEqual({ width: 2, height: 1 });
  expect([...made]).toEqual([25, 25, 25, 255, 100, 100, 100, 128]);
});
