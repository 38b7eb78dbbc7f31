import { beforeAll, expect, test } from 'vitest';
import { type DemoUser, demoUsers, waitUntilFresh } from '../support/demo.ts';
import { publicStops, stopsOf } from '../support/screens.ts';
import { walkScreens } from '../support/walk.ts';

const everybody: readonly (DemoUser | undefined)[] = [undefined, ...demoUsers.map(({ user }) => user)];
const walks = everybody.flatMap((user) => (['desktop', 'phone'] as const).map((size) => ({ user, size })));

beforeAll(() => waitUntilFresh('Haus Lindenblick'));

test.each(walks)(
  'every screen of $user, and what its buttons open, fits in every language, has no violation of axe in light or dark, and says what the catalogues say: $size',
  async ({ user, size }) => {
    const stops = await (user ? stopsOf(user) : publicStops());
    expect(stops.length).toBeGreaterThan(0);
    expect(await walkScreens(user, stops, { size, depth: 'whole' })).toEqual([]);
  },
);
