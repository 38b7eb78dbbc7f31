import { expect, test } from 'vitest';
import { waitUntilFresh } from '../support/demo.ts';
import { allStops, walksOf } from '../support/screens.ts';
import { walkScreens } from '../support/walk.ts';

await waitUntilFresh('Haus Lindenblick');

test.each(walksOf(await allStops()))(
  'screens of $user ($names) at 390 px fit in the worst languages, have no violation of axe, say what the catalogues say, and load what they may',
  { timeout: 600_000 },
  async ({ user, stops }) => {
    expect(await walkScreens(user, stops, { size: 'phone', depth: 'usual' })).toEqual([]);
  },
);
