import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import { type LiveEvent, liveEndpoints } from '@sonnenwarte/contract/live/live';
import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { grantEndpoints } from '@sonnenwarte/contract/user-management/grants';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemScope } from '../access/scope.ts';
import { hashToken } from '../broker/credentials.ts';
import { integratorInverters } from '../demo/tenancy.ts';
import { changePrices } from '../sites/prices.service.ts';
import { CuttablePostgres } from '../testing/cuttable-postgres.ts';
import { freshSn, TEST_PASSWORD } from '../testing/ingestion.ts';
import { JsonDatalogger } from '../testing/json-datalogger.ts';
import { LiveReader } from '../testing/plants-fixture.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';
import { borrowStores } from '../testing/store-house/borrow.ts';

const MINUTE_MS = 60_000;

let portal: TestPortal;
let postgres: CuttablePostgres;
let giveBack: () => void;
let admin: string;
let plant: { id: string; sn: string };
let reader: LiveReader | undefined;

beforeAll(async () => {
  const borrowed = await borrowStores();
  giveBack = borrowed.giveBack;
  postgres = await CuttablePostgres.before(borrowed.stores.DATABASE_URL);
  portal = await startTestPortal({ ...borrowed.stores, DATABASE_URL: postgres.url }, undefined, { ownStores: true });
  admin = await portal.sessionOf('admin');
});
afterAll(async () => {
  await portal?.stop();
  postgres?.close();
  giveBack?.();
});

const db = () => portal.server.stores.db;

/** Where it is about noon now, so that what was told in the last hour is of today. */
function zoneOfNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

/** A plant of its own, with a datalogger that has never spoken. */
beforeEach(async () => {
  const [like] = await db().selectFrom('sites').select(['organisation_id']).limit(1).execute();
  const { id } = await db()
    .insertInto('sites')
    .values({
      organisation_id: like?.organisation_id ?? '',
      name: 'Before',
      country: 'DE',
      time_zone: zoneOfNoon(),
      arrays: '[]',
      feed_in_price: '0.08',
      purchase_price: '0.30',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  plant = { id, sn: await addDatalogger(id) };
  return () => reader?.leave();
});

async function addDatalogger(siteId: string): Promise<string> {
  const sn = freshSn();
  await db()
    .insertInto('loggers')
    .values({ sn, site_id: siteId, token_hash: hashToken(TEST_PASSWORD) })
    .execute();
  return sn;
}

/** A stream as the browser opens it. */
async function open(subjects: string[], token = admin): Promise<LiveReader> {
  const leaving = new AbortController();
  const response = await portal.fetch(liveEndpoints.stream, { subjects }, { token, signal: leaving.signal });
  reader = new LiveReader(response, leaving);
  return reader;
}

/** Reads on until an event is as it should be. */
async function until<E extends LiveEvent>(of: LiveReader, is: (event: LiveEvent) => event is E): Promise<E> {
  for (;;) {
    const event = await of.next();
    if (event === undefined) throw new Error('the stream has ended');
    if (is(event)) return event;
  }
}

type SiteEvent = Extract<LiveEvent, { type: 'site' }>;
type DeviceEvent = Extract<LiveEvent, { type: 'device' }>;
const siteThat =
  (is: (event: SiteEvent) => boolean) =>
  (event: LiveEvent): event is SiteEvent =>
    event.type === 'site' && is(event);
const deviceThat =
  (is: (event: DeviceEvent) => boolean) =>
  (event: LiveEvent): event is DeviceEvent =>
    event.type === 'device' && is(event);

/** An hour of 1 kW, of which 400 W are consumed. */
async function tell(sn: string, device: string, powerW = 1_000): Promise<void> {
  const datalogger = await JsonDatalogger.connect(portal.server.mqttPort ?? 0, sn);
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  for (let minutes = 60; minutes >= 0; minutes -= 10) {
    const kwh = 1 - minutes / 60;
    await datalogger.tell({
      ts: nowMs - minutes * MINUTE_MS,
      dev: device,
      kind: 'inverter',
      v: {
        'DC/Power': powerW,
        'AC/ActivePower': powerW,
        'Load/Power': 400,
        'Energy/PvTotal': 100 + kwh,
        'Energy/AcOutTotal': 100 + kwh,
        'Energy/AcInTotal': 1,
        'Energy/LoadTotal': 50 + 0.4 * kwh,
      },
    });
  }
  await portal.server.ingestion.drain();
  await datalogger.end();
}

describe.each([
  ['', (change: () => Promise<unknown>) => change()],
  [
    ', also while the channel of notifications was cut',
    async (change: () => Promise<unknown>) => {
      await postgres.cut('sonnenwarte live');
      await change();
      postgres.mend();
    },
  ],
])('without a reload%s', (_, making) => {
  test('another name of a plant reaches who looks at it or at its devices', async () => {
    const device = `REN-${plant.sn}`;
    await tell(plant.sn, device);
    const { id } = await db().selectFrom('devices').select('id').where('sn', '=', device).executeTakeFirstOrThrow();
    const stream = await open([`site:${plant.id}`, `device:${id}`]);
    await until(
      stream,
      siteThat(({ site }) => site.name === 'Before'),
    );
    await making(() => db().updateTable('sites').set({ name: 'After' }).where('id', '=', plant.id).execute());
    const seen = new Set<string>();
    while (seen.size < 2) {
      const isNew = siteThat(({ site }) => site.name === 'After');
      const isNewOfDevice = deviceThat((event) => event.device.plantName === 'After');
      const event = await until(stream, (each): each is SiteEvent | DeviceEvent => isNew(each) || isNewOfDevice(each));
      seen.add(event.type);
    }
    const { result } = await portal.call(siteEndpoints.detail, { stationID: plant.id }, { token: admin });
    expect(result.name).toBe('After');
  });

  test('a datalogger that is added is let in at once, and what it tells reaches who looks at the plant', async () => {
    const stream = await open([`site:${plant.id}`]);
    await until(
      stream,
      siteThat(({ site }) => site.pv === null),
    );
    await making(async () => {
      const added = await addDatalogger(plant.id);
      await tell(added, `NEW-${added}`, 4_321);
    });
    const { site } = await until(
      stream,
      siteThat((event) => event.site.pv?.powerW === 4_321),
    );
    expect(site).toMatchObject({ stationID: plant.id, inverter: { count: 1 } });
  });

  test('other prices reach ingestion and the money of today', async () => {
    await tell(plant.sn, `TAR-${plant.sn}`);
    const stream = await open([`site:${plant.id}`]);
    const incomeOf = ({ today }: SiteEvent): number => Number(today.income ?? Number.NaN);
    const before = await until(
      stream,
      siteThat((event) => incomeOf(event) > 0),
    );
    await making(() =>
      changePrices(
        db(),
        {
          scope: systemScope,
          source: {},
          siteId: plant.id,
          feedInPrice: '0.16',
          purchasePrice: '0.60',
          currency: 'EUR',
          validFrom: 'beginning',
        },
        Date.now(),
      ),
    );
    const after = await until(
      stream,
      siteThat((event) => incomeOf(event) > 1.5 * incomeOf(before)),
    );
    expect(incomeOf(after)).toBeCloseTo(2 * incomeOf(before), 4);
  });

  test('a device that an integrator may see no more is gone from the screen, and refused when asked for', async () => {
    const sn = integratorInverters[0] ?? '';
    const token = await portal.sessionOf('integrator');
    const account = await db()
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', 'integrator')
      .executeTakeFirstOrThrow();
    const device = await db().selectFrom('devices').select('id').where('sn', '=', sn).executeTakeFirstOrThrow();
    const grant = { id: account.id, deviceIds: [device.id] };
    const stream = await open([`device:${device.id}`], token);
    await until(
      stream,
      deviceThat((event) => event.device.deviceID === device.id),
    );
    await making(() => portal.call(grantEndpoints.grantRemove, grant, { token: admin }));
    const gone = await until(stream, (event): event is Extract<LiveEvent, { type: 'gone' }> => event.type === 'gone');
    expect(gone.subject).toBe(`device:${device.id}`);
    const { total } = (await portal.call(deviceEndpoints.list, { condition: { content: sn } } as never, { token }))
      .result;
    expect(total).toBe(0);
    await portal.call(grantEndpoints.grantAdd, grant, { token: admin });
  });
});
