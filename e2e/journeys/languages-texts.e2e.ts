import { expect, test } from 'vitest';
import { waitUntilFresh } from '../support/demo.ts';
import { foreignTexts } from '../support/language-walks.ts';
import { allStops, lookers } from '../support/screens.ts';

const TIMEOUT_MS = 600_000;

test.each(lookers)(
  'all that the screens of %s show comes from the catalogues or is data',
  { timeout: TIMEOUT_MS },
  async (user) => {
    await waitUntilFresh('Haus Lindenblick');
    const stops = (await allStops()).filter((stop) => stop.user === user);
    expect(stops.length).toBeGreaterThan(0);
    expect(await foreignTexts(user, stops)).toEqual([]);
  },
);
