import type { Report } from '@sonnenwarte/contract/sites/site';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { localDay } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll } from 'vitest';
import { TestEdge } from './edge.ts';
import { makeDatalogger, startTestIngestion, type TestIngestion } from './ingestion.ts';
import { PlantsFixture } from './plants-fixture.ts';

export const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Ten in the morning in Berlin, some days ago. */
export const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 5 * DAY_MS + 9 * 3_600_000;

type Values = Record<string, number>;

export interface Told {
  device: string;
  kind: string;
  values: (minute: number) => Values | undefined;
}

export const day = localDay(startMs, 'Europe/Berlin');
export const [year = 0, month = 0, date = 0] = day.split('-').map(Number);

type Variable = Report[number]['variable'];

/** A house of 400 W under a sun that rises and falls; its inverter counts to the watt-hour. */
export const pvKwh = (minute: number) => (36 * (1 - Math.cos((Math.PI * minute) / 360))) / Math.PI;
const pvW = (minute: number) => 6_000 * Math.sin((Math.PI * minute) / 360);
export const loadKwh = (minute: number) => (0.4 * minute) / 60;
export const inverter = (device: string, isHeard: (minute: number) => boolean = () => true): Told => ({
  device,
  kind: 'inverter',
  values: (minute) =>
    isHeard(minute)
      ? {
          'DC/Power': pvW(minute),
          'AC/ActivePower': pvW(minute),
          'Energy/PvTotal': 100 + pvKwh(minute),
          'Energy/AcOutTotal': 100 + pvKwh(minute),
          'Energy/AcInTotal': 0,
        }
      : undefined,
});
export const meter = (device: string): Told => ({
  device,
  kind: 'meter',
  values: (minute) => ({
    'Meter/ActivePower': 400 - pvW(minute),
    'Meter/ImportTotal': 50,
    'Meter/ExportTotal': 70 + pvKwh(minute) - loadKwh(minute),
  }),
});
export const variables = ['PVEnergyTotal', 'feedin', 'gridConsumption', 'loads', 'pvToGrid', 'pvToLoad'] as const;

/** Plants of an installer whose devices tell of some hours of a day some days ago, as history. */
export function ownToldPlants() {
  let plants: PlantsFixture;
  let ingestion: TestIngestion;
  let token: string;
  let installerId: string;

  beforeAll(async () => {
    plants = await PlantsFixture.start();
    ingestion = await startTestIngestion(plants.stores);
    const installer = await plants.addOrganisation('installer');
    installerId = installer.id;
    token = plants.signIn(await plants.addAccount(installer.id, 2));
  });

  afterAll(async () => {
    await ingestion?.stop();
    await plants?.stop();
  });

  async function newPlant(): Promise<{ id: string; key: number; sn: string }> {
    const site = await plants.addSite(installerId);
    await ingestion.drain();
    return { ...site, sn: await makeDatalogger(plants.db, site.id) };
  }

  /** Sends what devices tell every five minutes, as history, and waits until it is accounted. */
  async function tell(
    sn: string,
    devices: readonly Told[],
    fromMinute: number,
    toMinute: number,
    birth: object[] = [],
  ) {
    const edge = await TestEdge.connect(ingestion.port, sn);
    await edge.birth();
    for (const { device, kind } of devices) await edge.deviceBirth(device, kind, birth as never);
    // In the order of time, as devices tell it: what one of them tells last is no news of the past to another.
    const sent: Promise<void>[] = [];
    for (let minute = fromMinute; minute <= toMinute; minute += 5) {
      for (const { device, values } of devices) {
        const told = values(minute);
        if (told === undefined) continue;
        sent.push(edge.data(device, told, { timestampMs: startMs + minute * MINUTE_MS, historical: true }));
      }
    }
    await Promise.all(sent);
    await edge.end();
    await ingestion.drain();
  }

  async function sumsOf(stationID: string, variables: Variable[], reportType: 'day' | 'month' = 'day') {
    const queryDate = { year, month, ...(reportType === 'day' && { day: date }) };
    const report = await plants.read(
      siteEndpoints.historyReport,
      { stationID, reportType, queryDate, variables },
      token,
    );
    return Object.fromEntries(
      report.map(({ variable, data }) => [
        variable,
        {
          kwh: data.reduce((sum, { value }) => sum + (value ?? 0), 0),
          qualities: [...new Set(data.filter(({ value }) => value !== null).map(({ quality }) => quality))].sort(),
        },
      ]),
    ) as Record<Variable, { kwh: number; qualities: string[] }>;
  }

  return {
    get plants() {
      return plants;
    },
    get ingestion() {
      return ingestion;
    },
    get token() {
      return token;
    },
    get installerId() {
      return installerId;
    },
    newPlant,
    tell,
    sumsOf,
  };
}
