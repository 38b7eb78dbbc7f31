import type { Language } from '@sonnenwarte/contract/languages';
import { beforeAll, expect, test } from 'vitest';
import { type DemoUser, demoUsers, waitUntilFresh } from '../support/demo.ts';
import { foreignTexts, misfits } from '../support/language-walks.ts';
import { publicStops, stopsOf } from '../support/screens.ts';

const everybody: readonly (DemoUser | undefined)[] = [undefined, ...demoUsers.map(({ user }) => user)];
/** Their texts need the most room. */
const longestLanguages: readonly Language[] = ['de', 'fr', 'pl', 'ro'];

const stopsFor = (user: DemoUser | undefined) => (user ? stopsOf(user) : publicStops());

beforeAll(() => waitUntilFresh('Haus Lindenblick'));

test.each(everybody)(
  'every screen of %s fits in every language, and what its buttons open in the longest of them',
  async (user) => {
    const stops = await stopsFor(user);
    expect(stops.length).toBeGreaterThan(0);
    expect(await misfits(user, stops, longestLanguages)).toEqual([]);
  },
);

test.each(everybody)('all that any screen of %s shows comes from the catalogues or is data', async (user) => {
  const stops = await stopsFor(user);
  expect(stops.length).toBeGreaterThan(0);
  expect(await foreignTexts(user, stops)).toEqual([]);
});
