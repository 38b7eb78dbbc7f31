import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Input } from '@sonnenwarte/contract/endpoint';
import type { Level } from '@sonnenwarte/contract/levels';
import { reportEndpoints } from '@sonnenwarte/contract/reports/reports';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { makeNext } from '../reports/maker.ts';
import { ReportFiles } from '../reports/report-files.ts';
import { PlantsFixture } from './plants-fixture.ts';

type Device = Awaited<ReturnType<PlantsFixture['addDevice']>>;
export type Create = Input<typeof reportEndpoints.create>;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const NOW_MS = Date.UTC(2026, 10, 20, 9);
export const never = new AbortController().signal;

const stepsOf = (name: string): number => pointByName('inverter', name)?.steps ?? 1;
const text = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');

interface Sample {
  readonly atMs: number;
  readonly powerW?: number;
  readonly pvKwh?: number;
  readonly hours?: number;
}

export const POWER = 'inverter:AC/ActivePower';
export const PV = 'inverter:Energy/PvTotal';
export const HOURS = 'inverter:State/OperatingHours';

/** Rows of a CSV file, in the order of its header. */
export const csvRows = (file: Buffer): string[][] => parse(file, { bom: true });

/** Cells of a sheet by row, as they are stored. */
export const sheetRows = (xml: string): string[][] =>
  [...xml.matchAll(/<row>(.*?)<\/row>/g)].map(([, row = '']) =>
    [...row.matchAll(/<c\/>|<c[^>]*>(?:<v>(.*?)<\/v>|<is><t[^>]*>(.*?)<\/t><\/is>)<\/c>/g)].map(
      ([, value, inline]) => value ?? inline ?? '',
    ),
  );

/** An agent with a plant and an inverter, whose reports are made when a test says so; nothing is left of one test in the next. */
export function ownReports() {
  let plants: PlantsFixture;
  let files: ReportFiles;
  let dataDir: string;
  let agent: { token: string; accountId: string; organisationID: string };
  let site: { id: string; key: number };
  let device: Device;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'reports-'));
    plants = await PlantsFixture.start(undefined, { DATA_DIR: dataDir });
    files = new ReportFiles(dataDir);
  });
  afterAll(async () => {
    await plants?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function addAgent(level: Level = 3) {
    const { id: organisationID, path } = await plants.addOrganisation(level === 255 ? 'platform' : 'agent');
    const account = await plants.addAccount(organisationID, level);
    await plants.db.updateTable('accounts').set({ leads: true }).where('id', '=', account.id).execute();
    return { token: plants.signInOf(account, path), accountId: account.id, organisationID };
  }

  beforeEach(async () => {
    plants.time.nowMs = NOW_MS;
    await plants.db.deleteFrom('reports').execute();
    await plants.db.deleteFrom('report_schedules').execute();
    await rm(join(dataDir, 'reports'), { recursive: true, force: true });
    agent = await addAgent();
    site = await plants.addSite(agent.organisationID, { name: 'Hof' });
    const datalogger = await plants.addDatalogger(site.id);
    device = await plants.addDevice(site.id, datalogger.id, { sn: `R-${site.key}` });
  });

  const tell = (of: Device, samples: readonly Sample[]) =>
    plants.insert(
      'raw_inverter',
      samples.map(({ atMs, powerW, pvKwh, hours }) => ({
        device: of.key,
        ts: text(atMs),
        received: text(atMs),
        ...(powerW !== undefined && { ac_active_power_n: powerW * stepsOf('AC/ActivePower') }),
        ...(pvKwh !== undefined && { energy_pv_total_n: Math.round(pvKwh * stepsOf('Energy/PvTotal')) }),
        ...(hours !== undefined && { state_operating_hours_n: hours * stepsOf('State/OperatingHours') }),
      })),
    );

  /** What was accounted of a device: PV energy, Wh, by the start of its five minutes. */
  const account = (of: Device, buckets: readonly { atMs: number; wh: number; mark?: 0 | 1 | 2 }[]) =>
    plants.insert(
      'device_5m',
      buckets.map(({ atMs, wh, mark = 0 }) => ({
        device: of.key,
        ts: text(atMs).slice(0, 19),
        version: 1,
        samples: 1,
        quality: mark,
        qualities: mark,
        pv_wh: wh,
      })),
    );

  const wanted = (change: Partial<Create> = {}): Create => ({
    name: 'Woche',
    source: 'devices',
    deviceIDs: [device.id],
    variables: [POWER],
    interval: 'hour',
    firstDay: '2026-11-10',
    lastDay: '2026-11-10',
    ...change,
  });

  const stores = () => ({
    db: plants.db,
    telemetry: plants.stores.telemetry.client,
    nowMs: () => plants.time.nowMs ?? NOW_MS,
    logger: pino({ level: 'silent' }),
    files,
  });

  const make = (telemetry = plants.stores.telemetry.client, ending = never) =>
    makeNext({ ...stores(), telemetry }, ending);

  const ask = async (change: Partial<Create> = {}, token = agent.token): Promise<string> =>
    (await plants.read(reportEndpoints.create, wanted(change), token)).reportID;
  const reportOf = async (id: string, token = agent.token) =>
    (await plants.read(reportEndpoints.detail, { id }, token)).report;

  async function download(id: string, format: 'csv' | 'xlsx' | 'parquet', token = agent.token): Promise<Buffer> {
    const response = await plants.fetch(reportEndpoints.download, { id, format }, token);
    expect(response.headers.get('content-disposition')).toContain(`.${format}`);
    return Buffer.from(await response.arrayBuffer());
  }

  /** A Parquet file as the engine of another maker reads it. */
  async function parquetRows(file: Buffer): Promise<Record<string, unknown>[]> {
    const path = join(dataDir, 'read.parquet');
    await writeFile(path, file);
    const answer = await plants.stores.telemetry.client.query({
      query: `SELECT * FROM file('${path}', 'Parquet')`,
      format: 'JSONEachRow',
    });
    return answer.json();
  }

  const rowsLying = async () => (await readdir(join(dataDir, 'reports'))).toSorted();

  return {
    get plants() {
      return plants;
    },
    get dataDir() {
      return dataDir;
    },
    get agent() {
      return agent;
    },
    get site() {
      return site;
    },
    get device() {
      return device;
    },
    addAgent,
    tell,
    account,
    wanted,
    stores,
    make,
    ask,
    reportOf,
    download,
    parquetRows,
    rowsLying,
  };
}
