import { chargerEndpoints } from '@sonnenwarte/contract/chargers/chargers';
import { RawChargePoint } from './charge-point.ts';
import { startTestPortal, type TestPortal } from './portal.ts';

const { add, list, sessions, exportSessions } = chargerEndpoints;

export const describedPile = { name: 'Carport', ratedPowerW: 11_000, phases: 'three', mostCurrentA: 16 } as const;

export interface AddedPile {
  deviceID: string;
  address: string;
  user: string;
  password: string;
}

/** A portal with the piles of one owner's plant, as their screens and the outside see them. */
export class PileBench {
  readonly portal: TestPortal;
  readonly owner: string;
  readonly stationID: string;
  /** A plant of somebody else. */
  readonly strangersID: string;
  #added = 0;

  private constructor(portal: TestPortal, owner: string, sites: readonly { id: string }[]) {
    this.portal = portal;
    this.owner = owner;
    this.stationID = sites[0]?.id ?? '';
    this.strangersID = sites[5]?.id ?? '';
  }

  static async start(env: Record<string, string> = {}): Promise<PileBench> {
    const portal = await startTestPortal(env);
    const sites = await portal.server.stores.db.selectFrom('sites').select('id').orderBy('key').execute();
    return new PileBench(portal, await portal.sessionOf('owner'), sites);
  }

  /** Piles of one test must not stand in the way of the next. */
  async clear(): Promise<void> {
    const { db } = this.portal.server.stores;
    await db.deleteFrom('attempts').execute();
    await db.deleteFrom('charging_sessions').execute();
    await db.deleteFrom('charge_points').execute();
  }

  async newPile(options: { phases?: 'one' | 'three' | 'switching' } = {}): Promise<AddedPile> {
    this.#added += 1;
    const { portal, stationID, owner } = this;
    const input = { stationID, deviceSN: `CP-${this.#added}`, ...describedPile, ...options };
    const answer = await portal.call(add, input, { token: owner });
    if (answer.errno !== 0) throw new Error(`the pile cannot be added: ${answer.errno}`);
    return { ...answer.result, address: `${portal.url.replace('http', 'ws')}/ocpp/${answer.result.user}` };
  }

  connect(pile: AddedPile, protocols?: string[], headers: Record<string, string> = {}): Promise<RawChargePoint> {
    return RawChargePoint.connect(pile.address, { ...pile, headers, ...(protocols && { protocols }) });
  }

  async shown(deviceID: string) {
    const { stationID, owner } = this;
    const { result } = await this.portal.call(list, { stationID }, { token: owner });
    const pile = result.piles.find((each) => each.deviceID === deviceID);
    if (pile === undefined) throw new Error('the pile is not listed');
    return pile;
  }

  async shownSessions() {
    const { stationID, owner } = this;
    return (await this.portal.call(sessions, { condition: { stationID } }, { token: owner })).result.sessions;
  }

  /** Rows of the file of sessions. */
  async exportedRows(): Promise<string[]> {
    const input = { columns: ['beganMs', 'energyWh', 'cost'], condition: { stationID: this.stationID } };
    const response = await this.portal.fetch(exportSessions, input, { token: this.owner });
    return (await response.text()).trimEnd().split('\r\n').slice(1);
  }

  async refusals(reason: string): Promise<number> {
    const text = await (await fetch(`${this.portal.url}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`sonnenwarte_ocpp_refused_total{reason="${reason}"}`));
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  /** Newest values of a pile, by their points. */
  async newest(deviceId: string): Promise<Record<string, unknown>> {
    const row = await this.portal.server.stores.db
      .selectFrom('device_latest')
      .select('values')
      .where('device_id', '=', deviceId)
      .executeTakeFirstOrThrow();
    return Object.fromEntries(Object.entries(row.values).map(([name, [value]]) => [name, value]));
  }

  /** What is accounted of a pile: bucket by bucket, those without energy left out. */
  async charged(deviceId: string): Promise<{ atMs: number; wh: number }[]> {
    const { ingestion, stores } = this.portal.server;
    await ingestion.drain();
    const { key } = await stores.db
      .selectFrom('devices')
      .select('key')
      .where('id', '=', deviceId)
      .executeTakeFirstOrThrow();
    const answer = await stores.telemetry.client.query({
      query: `SELECT toUnixTimestamp(ts) * 1000 AS ms, charger_wh AS wh FROM device_5m FINAL WHERE device = ${key} AND charger_wh > 0 ORDER BY ts`,
      format: 'JSONEachRow',
    });
    const rows = await answer.json<{ ms: number | string; wh: number }>();
    return rows.map(({ ms, wh }) => ({ atMs: Number(ms), wh }));
  }

  stop(): Promise<void> {
    return this.portal.stop();
  }
}

export const at = (ms: number) => new Date(ms).toISOString();

/** One reading of a meter as OCPP 1.6 tells it. */
export const register = (tsMs: number, wh: number, powerW?: number) => ({
  timestamp: at(tsMs),
  sampledValue: [
    { value: String(wh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
    ...(powerW === undefined ? [] : [{ value: String(powerW / 1_000), measurand: 'Power.Active.Import', unit: 'kW' }]),
  ],
});
