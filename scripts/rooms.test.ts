import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { importsIn, importsOf } from './imports.ts';
import { type House, wrongRooms } from './rooms.ts';

const house: House = {
  joints: /\/feature\.ts$/,
  rooms: { ground: '*', middle: 'offered deep/offered', 'list.ts': '', top: 'offered' },
  knots: { 'middle > top': 'for this test' },
};

/** What every public file is imported by, so that no name is idle. */
const used: Readonly<Record<string, string>> = {
  'top/offered.ts': "import '../middle/offered.ts'; import '../middle/deep/offered.ts'; import '../list.ts';",
  'above/one.ts': "import '../top/offered.ts';",
  'middle/knot.ts': "import '../top/offered.ts';",
};

const wrongWith = (files: Readonly<Record<string, string>>): string[] =>
  wrongRooms(
    Object.entries({ ...used, ...files }).flatMap(([file, text]) => importsOf(`apps/x/src/${file}`, text)),
    { 'apps/x/src': house },
  );

test('what a house allows is not reported', () => {
  expect(
    wrongWith({
      'middle/use.ts': "import { x } from '../ground/any/file.ts'; import './hidden.ts'; import '../plain.ts';",
      'list.ts': "import './ground/any.ts'; import './middle/offered.ts';",
      'plain.ts': "import './plainer.ts'; import 'zod'; import '@sonnenwarte/contract/errors';",
      'middle/feature.ts': "import '../top/offered.ts';",
      'new/one.ts': "import '../top/offered.ts'; import '../ground/x.ts'; import '../list.ts';",
      'server.ts': "import './other.ts'; import './top/offered.ts';",
      'middle/one.test.ts': "import '../top/hidden.ts'; import '../testing/x.ts';",
      'testing/x.ts': "import '../top/hidden.ts';",
    }),
  ).toEqual([]);
});

describe('reported is', () => {
  test.each([
    ['a file that its room does not name', 'top/one.ts', '../middle/hidden.ts', 'which middle does not name'],
    ['a file of that name elsewhere in its room', 'top/one.ts', '../middle/other/offered.ts', 'does not name'],
    ['a file of a room that names none', 'top/one.ts', '../new/one.ts', 'which new does not name'],
    ['a test helper', 'top/one.ts', '../testing/x.ts', 'which testing does not name'],
    ['an unnamed file, by what joins rooms', 'top/feature.ts', '../middle/hidden.ts', 'which middle does not name'],
    ['an unnamed file, by what stands beside the rooms', 'server.ts', './middle/hidden.ts', 'does not name'],
    ['what joins rooms', 'new/one.ts', '../top/feature.ts', 'which nobody imports'],
    ['a room above', 'ground/one.ts', '../top/offered.ts', 'top is not below ground'],
    ['a file beside the rooms that stands above', 'ground/one.ts', '../list.ts', 'list.ts is not below ground'],
    ['a room above, by a file beside the rooms', 'list.ts', './top/offered.ts', 'top is not below list.ts'],
  ])('%s', (_, file, to, why) => {
    const text = `export const x = await import('${to}');`;
    expect(wrongWith({ [file]: text })).toEqual([expect.stringMatching(new RegExp(`${file} .*${why}`))]);
  });

  test('a room, by a file beside the rooms on which rooms stand, even in steps', () => {
    const steps = { 'ground/one.ts': "import '../plain.ts';", 'plain.ts': "import './plainer.ts';" };
    expect(wrongWith({ ...steps, 'plainer.ts': "import type { X } from './ground/one.ts';" })).toEqual([
      expect.stringContaining('plainer.ts imports ground/one.ts, but ground is not below plainer.ts'),
    ]);
  });

  test('a name that no other room needs, and a knot that is none', () => {
    expect(wrongWith({ 'above/one.ts': '', 'middle/knot.ts': "import './offered.ts';" })).toEqual([
      expect.stringContaining('top/offered is named'),
      expect.stringContaining('middle > top is named as a knot'),
    ]);
    expect(wrongWith({ 'top/offered.ts': "import '../middle/offered.ts'; import '../list.ts';" })).toEqual([
      expect.stringContaining('middle/deep/offered is named'),
    ]);
  });
});

test('in an open house only rooms that stand on each other are reported, also by way of others', () => {
  const wrongIn = (files: Readonly<Record<string, string>>) =>
    wrongRooms(
      Object.entries(files).flatMap(([file, text]) => importsOf(`packages/x/src/${file}`, text)),
      { 'packages/x/src': '*' },
    );
  const chain = {
    'one/a.ts': "import '../two/hidden.ts';",
    'two/b.ts': "export type { X } from '../three/any.ts';",
    'three/any.ts': "import '../four/x.ts'; import '../beside.ts';",
    'beside.ts': "import './one/a.ts';",
  };
  expect(wrongIn(chain)).toEqual([]);
  expect(wrongIn({ ...chain, 'three/c.ts': "import '../one/a.ts';" })).toEqual([
    expect.stringContaining('one/a.ts imports two/hidden.ts'),
    expect.stringContaining('two/b.ts imports three/any.ts'),
    expect.stringContaining('three/c.ts imports one/a.ts'),
  ]);
});

test('the rooms of this tree keep to what they name', () => {
  expect(wrongRooms(importsIn(fileURLToPath(new URL('..', import.meta.url))))).toEqual([]);
});
