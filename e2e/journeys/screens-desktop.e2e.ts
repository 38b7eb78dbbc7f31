import { beforeAll, expect, test } from 'vitest';
import { waitUntilFresh } from '../support/demo.ts';
import { allStops, lookers } from '../support/screens.ts';
import { walkScreens } from '../support/walk.ts';

beforeAll(() => waitUntilFresh('Haus Lindenblick'));

test.each(lookers)(
  'every screen of %s at 1440 px fits in the worst languages, has no violation of axe, says what the catalogues say, and loads what it may',
  { timeout: 900_000 },
  async (user) => {
    const stops = (await allStops()).filter((stop) => stop.user === user);
    expect(stops.length).toBeGreaterThan(0);
    expect(await walkScreens(user, stops, { size: 'desktop' })).toEqual([]);
  },
);
