import { CommandName, parseCommand } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { decodePayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { hashToken } from '../broker/credentials.ts';
import { TestEdge } from './edge.ts';
import { TEST_PASSWORD } from './ingestion.ts';
import type { TestPortal } from './portal.ts';

export interface FieldInverter {
  readonly sn: string;
  readonly batterySn: string;
  readonly ratedW: number;
  socPercent: number;
  batteryW: number;
  /** It runs, tells and answers. */
  isThere: boolean;
  readonly settings: Map<string, number>;
}

const numbers: Readonly<Record<string, number>> = {
  'Setting/WorkMode': DataType.Int32,
  'Setting/MinSoc': DataType.Int32,
  'Setting/ActivePowerLimit': DataType.Int32,
  'Setting/PeakLimit': DataType.UInt32,
  'Setting/DischargePower': DataType.UInt32,
  'Setting/ParallelMode': DataType.Int32,
};

const float = (name: string, value: number) => ({ name, datatype: DataType.Float, value });
const setting = ([name, value]: [string, number]) => ({ name, datatype: numbers[name] ?? DataType.Int32, value });

const PEAK_SHAVING = 5;

/**
 * Inverters with batteries behind one grid point without sun, as a datalogger tells of them: each measures the grid point and approaches its target by
 * half of what it sees in a second, knowing nothing of the others.
 */
export class BatteryField {
  readonly edge: TestEdge;
  readonly inverters: readonly FieldInverter[];
  readonly siteId: string;
  readonly #meterSn: string;
  loadW = 8_000;

  private constructor(edge: TestEdge, inverters: readonly FieldInverter[], siteId: string, meterSn: string) {
    this.edge = edge;
    this.inverters = inverters;
    this.siteId = siteId;
    this.#meterSn = meterSn;
  }

  static async start(
    portal: TestPortal,
    loggerSn: string,
    meterSn: string,
    inverters: readonly FieldInverter[],
  ): Promise<BatteryField> {
    const { site_id } = await portal.server.stores.db
      .updateTable('loggers')
      .set({ token_hash: hashToken(TEST_PASSWORD) })
      .where('sn', '=', loggerSn)
      .returning('site_id')
      .executeTakeFirstOrThrow();
    const edge = await TestEdge.connect(portal.server.mqttPort ?? 0, loggerSn);
    const field = new BatteryField(edge, inverters, site_id ?? '', meterSn);
    edge.client.on('message', (topic, bytes) => field.#answer(topic.split('/').at(-1) ?? '', bytes));
    await edge.birth([{ name: 'Properties/Profile', datatype: DataType.String, value: 'PV-1' }]);
    for (const each of inverters) await field.birthOf(each);
    await edge.deviceBirth(meterSn, 'meter', [float('Meter/ActivePower', field.gridW)]);
    await field.tell();
    return field;
  }

  /** An inverter and its battery say what they are and have. */
  async birthOf({ sn, batterySn, ratedW, socPercent, settings }: FieldInverter): Promise<void> {
    await this.edge.deviceBirth(sn, 'inverter', [
      float('Rating/ActivePower', ratedW),
      float('AC/ActivePower', 0),
      ...[...settings].map(setting),
    ]);
    await this.edge.deviceBirth(batterySn, 'battery', [
      float('Bat/Power', 0),
      float('Bat/Soc', socPercent),
      float('Bat/Capacity', 15),
    ]);
  }

  get gridW(): number {
    return this.loadW - this.inverters.reduce((sum, { batteryW }) => sum + batteryW, 0);
  }

  #answer(sn: string, bytes: Buffer): void {
    const { id, settings } = parseCommand(decodePayload(bytes));
    const inverter = this.inverters.find((each) => each.sn === sn);
    if (id === undefined || inverter?.isThere !== true) return;
    for (const { name, value } of settings) if (typeof value === 'number') inverter.settings.set(name ?? '', value);
    const readBack = settings.flatMap(({ name, value }) =>
      typeof value === 'number' ? [setting([name ?? '', value])] : [],
    );
    const sent = this.edge.send('DDATA', sn, [
      { name: CommandName.resultId, datatype: DataType.String, value: id },
      { name: CommandName.resultCode, datatype: DataType.Int32, value: 0 },
      ...readBack,
    ]);
    // What is asked while the test ends is answered to nobody.
    sent.catch(() => undefined);
  }

  /** A second of the plant. */
  run(): void {
    const { gridW } = this;
    for (const inverter of this.inverters) {
      const { settings, socPercent } = inverter;
      const isAble = socPercent > (settings.get('Setting/MinSoc') ?? 10);
      const mostW = isAble ? Math.min(inverter.ratedW, settings.get('Setting/DischargePower') ?? 0) : 0;
      const targetW = settings.get('Setting/PeakLimit') ?? 0;
      const isShaving = inverter.isThere && settings.get('Setting/WorkMode') === PEAK_SHAVING;
      const wantedW = isShaving ? inverter.batteryW + (gridW - targetW) / 2 : 0;
      inverter.batteryW = Math.max(0, Math.min(mostW, wantedW));
    }
  }

  /** Tells what is measured now. */
  async tell(): Promise<void> {
    for (const { sn, batterySn, batteryW, socPercent, isThere } of this.inverters) {
      if (!isThere) continue;
      await this.edge.data(sn, { 'AC/ActivePower': batteryW });
      await this.edge.data(batterySn, { 'Bat/Power': batteryW, 'Bat/Soc': socPercent });
    }
    await this.edge.data(this.#meterSn, { 'Meter/ActivePower': this.gridW });
  }
}
