import { expect, test } from 'vitest';
import { waitUntilFresh } from '../support/demo.ts';
import { misfits } from '../support/language-walks.ts';
import { allStops, lookers } from '../support/screens.ts';

const TIMEOUT_MS = 600_000;

test.each(lookers)(
  'every screen of %s fits in every language at 1440 and 390 px',
  { timeout: TIMEOUT_MS },
  async (user) => {
    await waitUntilFresh('Haus Lindenblick');
    const stops = (await allStops()).filter((stop) => stop.user === user);
    expect(stops.length).toBeGreaterThan(0);
    expect(await misfits(user, stops, ['de'])).toEqual([]);
  },
);
