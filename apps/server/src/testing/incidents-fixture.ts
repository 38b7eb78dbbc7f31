import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { afterAll, beforeAll } from 'vitest';
import { foldTold } from '../incidents/fold-told.ts';
import { PlantsFixture } from './plants-fixture.ts';
import { endAlarm, tellAlarm } from './told-alarms.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);

interface Told {
  device?: string;
  code?: number;
  level?: number;
  sinceMs?: number;
  untilMs?: number | null;
}

type View = 'open' | 'unacknowledged' | 'mine' | 'muted' | 'mended' | 'all';

/** Plants whose alarms are folded to incidents when a test says so. */
export function ownIncidents() {
  let plants: PlantsFixture;

  beforeAll(async () => {
    // Nothing is folded by itself: tests say when.
    plants = await PlantsFixture.start((nowMs) => ({ nowMs, after: () => () => undefined }));
  });

  afterAll(() => plants.stop());

  /** An installer with a plant, its own clock and nothing wrong. */
  async function installerWithPlant(site: { name?: string; postcode?: string } = {}) {
    plants.time.nowMs = NOW_MS;
    const organisation = await plants.addOrganisation('installer');
    const account = await plants.addAccount(organisation.id, 2);
    const token = plants.signInOf(account, organisation.path);
    return { organisation, account, token, ...(await plantOf(organisation.id, site)) };
  }

  async function plantOf(organisationID: string, site: { name?: string; postcode?: string } = {}) {
    const { id: siteId } = await plants.addSite(organisationID, site);
    const logger = await plants.addDatalogger(siteId);
    const inverter = await plants.addDevice(siteId, logger.id);
    return { siteId, logger, inverter };
  }

  /** A device tells an alarm, of an hour ago unless said otherwise. */
  const tell = ({ device, sinceMs = NOW_MS - HOUR_MS, ...told }: Told) =>
    tellAlarm(plants, { device: device ?? null, sinceMs, ...told });

  const end = (id: string, untilMs: number) => endAlarm(plants, id, untilMs);

  const fold = () => foldTold(plants.db, plants.time.nowMs ?? NOW_MS);

  const listed = async (token: string, view: View = 'open', condition: Record<string, unknown> = {}) =>
    (await plants.read(incidentEndpoints.list, { condition: { view, ...condition } }, token)).incidents;

  return {
    get plants() {
      return plants;
    },
    installerWithPlant,
    plantOf,
    tell,
    end,
    fold,
    listed,
  };
}
