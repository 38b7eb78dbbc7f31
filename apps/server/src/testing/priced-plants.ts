import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { systemScope } from '../access/scope.ts';
import { changePrices, type PriceChange } from '../sites/prices.service.ts';
import { TestEdge } from './edge.ts';
import type { TestPlant } from './ingestion.ts';
import type { OwnIngestion } from './own-ingestion.ts';

export const ZONE = 'Asia/Kolkata';
export const HOUR_MS = 3_600_000;
export const STEP_MS = 600_000;
export const SECOND = localDay(Date.now() - 9 * 24 * HOUR_MS, ZONE);
export const secondMs = dayBounds(SECOND, ZONE).startMs;
export const FIRST = localDay(secondMs - HOUR_MS, ZONE);
export const OLD = { feedIn: 0.08, purchase: 0.3 };
export const NEW = { feedIn: 0.2, purchase: 0.5 };

interface DayMoney {
  day: string;
  income: string | null;
  saving: string | null;
}

/** Plants in a zone of half hours, whose inverter tells of two days some days ago. */
export function pricedPlants(own: OwnIngestion) {
  /** An inverter that gives 1 kW, of which 400 W are consumed, between two hours counted from the start of the second day. */
  async function record(plant: TestPlant, device: string, fromHour: number, toHour: number): Promise<void> {
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth();
    await edge.deviceBirth(device, 'inverter');
    const sent: Promise<void>[] = [];
    for (let tsMs = secondMs + fromHour * HOUR_MS; tsMs <= secondMs + toHour * HOUR_MS; tsMs += STEP_MS) {
      const hours = (tsMs - secondMs) / HOUR_MS;
      const values = {
        'DC/Power': 1_000,
        'AC/ActivePower': 1_000,
        'Load/Power': 400,
        'Energy/PvTotal': 100 + hours,
        'Energy/AcOutTotal': 100 + hours,
        'Energy/AcInTotal': 1,
        'Energy/LoadTotal': 50 + 0.4 * hours,
      };
      sent.push(edge.data(device, values, { timestampMs: tsMs, historical: true }));
    }
    await Promise.all(sent);
    await own.ingestion.drain();
    await edge.end();
  }

  const moneyOf = ({ siteKey }: TestPlant) =>
    own.rows<DayMoney>(
      `SELECT toString(day) AS day, toString(income) AS income, toString(saving) AS saving
       FROM site_day FINAL WHERE site = ${siteKey} AND pv_wh > 0 ORDER BY day`,
    );

  /** Money of a day, bucket by bucket, at the old prices before a time and at the new ones from it on. */
  async function reckoned(
    { siteKey }: TestPlant,
    day: string,
    changeMs: number,
  ): Promise<{ income: number; saving: number }> {
    const { startMs, endMs } = dayBounds(day, ZONE);
    const buckets = await own.rows<{ ts: number; supplied: number; exported: number }>(
      `SELECT toUnixTimestamp(ts) AS ts, load_wh - import_wh AS supplied, export_wh AS exported FROM site_5m FINAL
       WHERE site = ${siteKey} AND ts >= ${startMs / 1_000} AND ts < ${endMs / 1_000} AND pv_wh > 0`,
    );
    let [income, saving] = [0, 0];
    for (const { ts, supplied, exported } of buckets) {
      const price = ts * 1_000 < changeMs ? OLD : NEW;
      income += (exported / 1_000) * price.feedIn;
      saving += (supplied / 1_000) * price.purchase;
    }
    return { income, saving };
  }

  const change = async (plant: TestPlant, more: Partial<PriceChange> = {}, nowMs = Date.now()) => {
    await changePrices(
      own.stores.db,
      {
        scope: systemScope,
        source: {},
        siteId: plant.siteId,
        feedInPrice: String(NEW.feedIn),
        purchasePrice: String(NEW.purchase),
        currency: 'EUR',
        validFrom: 'now',
        ...more,
      },
      nowMs,
    );
    await own.ingestion.drain();
  };

  return {
    record,
    moneyOf,
    reckoned,
    change,
  };
}
