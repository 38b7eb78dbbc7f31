import type { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import type { DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import type { Database } from '../stores/schema.ts';
import { Backlogs } from './backlogs.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 5, 10, 12);
const TODAY = '2026-06-10';

/** A device that was silent until now, and then tells what it kept. */
function heard(): { device: DeviceEntry; site: SiteEntry } {
  const datalogger = { waitingHistory: 1, online: false };
  const device = { datalogger, emptyFromMs: Number.NEGATIVE_INFINITY, emptyToMs: NOW_MS, newestTsMs: NOW_MS };
  const site = { zone: 'UTC', devices: new Set([device]) };
  return { device: Object.assign(device, { site }) as unknown as DeviceEntry, site: site as unknown as SiteEntry };
}

test('what comes of a time before a history holds back neither that nor today', () => {
  const backlogs = new Backlogs({} as Kysely<Database>);
  const { device, site } = heard();
  backlogs.note(device, NOW_MS - 30 * DAY_MS, NOW_MS);
  backlogs.note(device, NOW_MS - 20 * DAY_MS, NOW_MS);
  backlogs.summed(backlogs.summable(() => 0));
  expect(backlogs.heldDay(site, NOW_MS)).toBe('2026-05-21');
  backlogs.note(device, NOW_MS, NOW_MS);
  backlogs.summed(backlogs.summable(() => 0));
  expect(backlogs.heldDay(site, NOW_MS)).toBe(TODAY);
  device.emptyToMs = NOW_MS - 30 * DAY_MS;
  backlogs.note(device, NOW_MS - 44 * DAY_MS, NOW_MS);
  backlogs.note(device, NOW_MS - 31 * DAY_MS, NOW_MS);
  expect(backlogs.heldDay(site, NOW_MS)).toBe(TODAY);
  const summable = backlogs.summable((_, sinceMs) => (sinceMs < NOW_MS - 30 * DAY_MS ? 13 * DAY_MS : 0));
  expect([...summable.values()]).toEqual([30 * DAY_MS, 0]);
});
