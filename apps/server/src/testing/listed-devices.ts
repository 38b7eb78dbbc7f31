import type { TimedValue } from '../stores/schema-plants.ts';
import { PlantsFixture } from './plants-fixture.ts';

export const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);
export const HOUR_MS = 3_600_000;
const SILENT = new Date(NOW_MS - HOUR_MS);

/** Kinds of devices that have a list of their own. */
export const listedKinds = ['inverter', 'battery', 'meter', 'ems', 'gateway'] as const;

type AddDevice = (
  sn: string,
  device: Parameters<PlantsFixture['addDevice']>[2],
  below?: { id: string },
  at?: { id: string },
) => Promise<{ id: string; key: number; sn: string }>;

/** Newest values as they were told at `NOW_MS`. */
export const told = (values: Record<string, number | string>): Record<string, TimedValue> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value, NOW_MS] as TimedValue]));

/** A plant with devices of all kinds, one of them silent, another organisation's plant with the same, and who may see what. */
export async function startListedDevices() {
  const plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  const own = await plants.addOrganisation('installer');
  const other = await plants.addOrganisation('installer');
  const installer = plants.signIn(await plants.addAccount(own.id, 2));
  const stranger = plants.signIn(await plants.addAccount(other.id, 2));
  const admin = plants.signIn(await plants.addAccount(own.id, 255));
  const integratorAccount = await plants.addAccount(other.id, 10);
  const integrator = plants.signIn(integratorAccount);
  const site = await plants.addSite(own.id, { name: 'Hof' });
  const logger = await plants.addDatalogger(site.id);
  const ids: Record<string, string> = {};
  const add: AddDevice = async (sn, device, below = logger, at = site) => {
    const added = await plants.addDevice(at.id, below.id, { sn, ...device });
    ids[sn] = added.id;
    return added;
  };
  const silentLogger = await plants.addDatalogger(site.id, SILENT);

  await add('INV-1', { powerW: 4_000, rated_power_w: 8_000, todayWh: 9_000, values: told({ 'State/GridRelay': 1 }) });
  await add('BAT-1', {
    kind: 'battery',
    powerW: -900,
    values: told({
      'Bat/Soh': 94,
      'Bat/CellVoltageMax': 3.342,
      'Bat/CellVoltageMin': 3.33,
      'Bat/Cycles': 812,
      'Bat/BmsFirmware': '1.8.3',
      'Bat/Power': -900,
    }),
  });
  await add('BAT-2', {
    kind: 'battery',
    powerW: 0,
    values: told({ 'Bat/State': 3, 'Bat/Power': 0, 'Bat/CellVoltageMax': 3.4, 'Bat/CellVoltageMin': 3.3 }),
  });
  await add('BAT-3', { kind: 'battery', powerW: 700, values: told({ 'Bat/Power': 700 }), state: 'fault' });
  await add(
    'BAT-4',
    {
      kind: 'battery',
      powerW: 700,
      last_seen_at: SILENT,
      values: told({
        'Bat/State': 2,
        'Bat/Soh': 90,
        'Bat/Power': 700,
        'Bat/CellVoltageMax': 4,
        'Bat/CellVoltageMin': 3,
      }),
    },
    silentLogger,
  );
  await add('MET-1', {
    kind: 'meter',
    powerW: -1_500,
    values: told({
      'Meter/L1/Voltage': 230,
      'Meter/L2/Voltage': 230,
      'Meter/L3/Voltage': 230,
      'Meter/CtRatio': 40,
      'Meter/ImportToday': 1.25,
      'Meter/ExportToday': 8.5,
      'Meter/ImportTotal': 900,
      'Meter/ExportTotal': 1_200.5,
    }),
  });
  await add('MET-2', { kind: 'meter', role: 'pv', powerW: -300, values: told({ 'Meter/L1/Voltage': 231 }) });
  await add('EMS-1', {
    kind: 'ems',
    values: told({
      'Ems/DeviceCount': 6,
      'Ems/DevicesOnline': 5,
      'Ems/Strategy': 'peak-shaving',
      'Ems/ExportLimit': 15_000,
      'Ems/PeakLimit': 0,
    }),
  });
  await add('GAT-1', {
    kind: 'gateway',
    values: told({ 'Gw/Relay1': 1, 'Gw/Relay2': 0, 'Gw/SgReadyState': 3, 'Gw/HeatPumpPower': 2_200 }),
  });
  const far = await plants.addSite(other.id, { name: 'Fern' });
  const farLogger = await plants.addDatalogger(far.id);
  for (const kind of listedKinds) await add(`FAR-${kind}`, { kind, values: {} }, farLogger, far);
  await plants.db
    .insertInto('device_grants')
    .values(['BAT-1', 'MET-1'].map((sn) => ({ account_id: integratorAccount.id, device_id: ids[sn] ?? '' })))
    .execute();
  await plants.db
    .insertInto('alarms')
    .values(
      ['BAT-3', 'BAT-4'].map((sn) => ({
        device_id: ids[sn] ?? '',
        logger_id: null,
        site_id: site.id,
        code: 3_002,
        level: 3,
        since: new Date(NOW_MS - HOUR_MS),
        until: null,
      })),
    )
    .execute();
  return { plants, installer, stranger, admin, integrator, site, logger, add };
}

export type ListedDevices = Awaited<ReturnType<typeof startListedDevices>>;
