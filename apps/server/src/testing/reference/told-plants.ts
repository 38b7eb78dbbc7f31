import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import type { HistoryStep, HistoryVariable } from '@sonnenwarte/contract/sites/site-history';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { systemScope } from '../../access/scope.ts';
import { changePrices, changeZone, type PriceChange } from '../../sites/prices.service.ts';
import { TestEdge } from '../edge.ts';
import { makePlant, startTestIngestion, type TestIngestion, type TestPlant } from '../ingestion.ts';
import { PlantsFixture } from '../plants-fixture.ts';
import type { Telling } from './device-reckoning.ts';
import type { HouseDevice } from './house.ts';
import type { PlantReckoning, Sums } from './plant-reckoning.ts';
import { WallClock } from './wall-clock.ts';

/** What is told at once: portions come one after the other, each when the one before has been accounted. */
export type Portion = readonly { readonly device: HouseDevice; readonly tellings: readonly Telling[] }[];

export type NewPrices = Pick<PriceChange, 'validFrom' | 'purchasePrice' | 'feedInPrice' | 'purchasePeriods'>;

const SAMPLES_AT_ONCE = 400;
const QUARTER_MS = 900_000;
/** A tenth of a watt-hour. */
const TOLERANCE_WH = 0.1;

/** What a file marks, with the part that is estimated. */
const ENERGIES = [
  'PVEnergyTotal',
  'loads',
  'charger',
  'feedin',
  'gridConsumption',
  'chargeEnergyToTal',
  'dischargeEnergyToTal',
] as const;
const VARIABLES = [
  ...ENERGIES,
  'loss',
  'pvToLoad',
  'pvToCharger',
  'pvToBattery',
  'pvToGrid',
  'batteryToLoad',
  'batteryToCharger',
  'batteryToGrid',
  'gridToLoad',
  'gridToCharger',
  'gridToBattery',
] as const satisfies readonly HistoryVariable[];

/** Ports of the key figures. */
const FIGURES = {
  generationWh: ['PVEnergyTotal'],
  consumptionWh: ['loads', 'charger'],
  feedInWh: ['feedin'],
  purchaseWh: ['gridConsumption'],
  chargeWh: ['chargeEnergyToTal'],
  dischargeWh: ['dischargeEnergyToTal'],
} as const;

const whOf = (nanoWh: bigint | undefined): number | null => (nanoWh === undefined ? null : Number(nanoWh) / 1e9);

/** Decimal of an amount in 1e-18 of the currency, rounded half away from zero. */
export function decimal(amount: bigint, digits: number): string {
  const unit = 10n ** BigInt(18 - digits);
  const rounded = (amount + unit / 2n) / unit;
  const text = String(rounded).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Both stores, the ingestion and the API, and what a plant of them tells and shows. */
export class ToldPlants {
  readonly fixture: PlantsFixture;
  readonly #token: string;
  #ingestion: TestIngestion;

  private constructor(fixture: PlantsFixture, ingestion: TestIngestion, token: string) {
    this.fixture = fixture;
    this.#ingestion = ingestion;
    this.#token = token;
  }

  static async start(): Promise<ToldPlants> {
    const fixture = await PlantsFixture.start();
    const ingestion = await startTestIngestion(fixture.stores);
    const { id } = await fixture.addOrganisation('platform');
    return new ToldPlants(fixture, ingestion, fixture.signIn(await fixture.addAccount(id, 255)));
  }

  async stop(): Promise<void> {
    await this.#ingestion.stop();
    await this.fixture.stop();
  }

  get ingestion(): TestIngestion {
    return this.#ingestion;
  }

  addPlant(zone: string, prices: boolean): Promise<TestPlant> {
    return makePlant(this.fixture.db, { zone, prices });
  }

  /** Starts ingestion anew: what goes on from reading to reading has to be found in the stores. */
  async restart(): Promise<void> {
    await this.#ingestion.stop();
    this.#ingestion = await startTestIngestion(this.fixture.stores);
    await this.#ingestion.drain();
  }

  /** Tells portions as a datalogger tells its history. */
  async tell(plant: TestPlant, portions: readonly Portion[]): Promise<void> {
    const edge = await TestEdge.connect(this.#ingestion.port, plant.sn);
    for (const portion of portions) {
      for (const { device, tellings } of portion) {
        for (let at = 0; at < tellings.length; at += SAMPLES_AT_ONCE) {
          const rows = tellings
            .slice(at, at + SAMPLES_AT_ONCE)
            .map(({ tsMs, values }) => ({ ts: tsMs, dev: device.sn, kind: device.kind, hist: true, v: values }));
          await edge.client.publishAsync(`pv/v1/${plant.sn}/up`, JSON.stringify(rows), { qos: 1 });
        }
      }
      if (portions.length > 1) await this.#ingestion.drain();
    }
    await edge.end();
  }

  /** Makes devices known whose role only a birth tells. */
  async bear(plant: TestPlant, devices: readonly HouseDevice[]): Promise<void> {
    const edge = await TestEdge.connect(this.#ingestion.port, plant.sn);
    await edge.birth();
    for (const { sn, kind, role } of devices) {
      if (role !== undefined)
        await edge.deviceBirth(sn, kind, [{ name: 'Properties/Role', datatype: DataType.String, value: role }]);
    }
    await edge.end();
    await this.#ingestion.drain();
  }

  async changePrices({ siteId }: TestPlant, prices: NewPrices): Promise<void> {
    const change = { scope: systemScope, source: {}, siteId, currency: 'EUR' };
    await changePrices(this.fixture.db, { ...change, ...prices }, Date.now());
    await this.#ingestion.drain();
  }

  async changeZone({ siteId }: TestPlant, timeZone: string): Promise<void> {
    await changeZone(this.fixture.db, { scope: systemScope, source: {}, siteId, timeZone });
    await this.#ingestion.drain();
  }

  /** All that the API, its files and the stored money tell otherwise than the reference; empty where they agree. */
  async differences({ siteId, siteKey }: TestPlant, zone: string, reckoning: PlantReckoning): Promise<string[]> {
    const wrong: string[] = [];
    const days = [...reckoning.days.keys()].sort();
    const [firstDay = '', lastDay = ''] = [days[0], days.at(-1)];
    const clock = new WallClock(zone);
    const hours = hoursOf(clock, reckoning, firstDay, lastDay);
    this.fixture.time.nowMs = (hours.at(-1)?.[1] ?? 0) + 3_600_000 - 1;
    await this.#compareReports(siteId, reckoning, hours, wrong);
    await this.#compareFiles(siteId, { firstDay, lastDay }, reckoning, hours, wrong);
    await this.#compareFigures(siteId, lastDay, reckoning, wrong);
    await this.#compareMoney(siteKey, reckoning, wrong);
    return wrong;
  }

  async #report(stationID: string, reportType: 'day' | 'month' | 'year' | 'total', name: string) {
    const [year = 0, month = 1, day = 1] = name.split('-').map(Number);
    return this.fixture.read(
      siteEndpoints.historyReport,
      { stationID, reportType, variables: [...VARIABLES], queryDate: { year, month, day } },
      this.#token,
    );
  }

  async #compareReports(
    siteId: string,
    { hours: ofHours, days, months, years }: PlantReckoning,
    hours: readonly (readonly [day: string, hourMs: number])[],
    wrong: string[],
  ): Promise<void> {
    const put = (
      reports: Awaited<ReturnType<typeof this.fixture.read<typeof siteEndpoints.historyReport>>>,
      keys: readonly string[],
      sums: ReadonlyMap<string, Sums>,
    ) => {
      for (const { variable, data } of reports) {
        if (data.length !== keys.length) wrong.push(`${keys[0]}: ${data.length} bars instead of ${keys.length}`);
        data.forEach(({ value }, place) => {
          const key = keys[place] ?? '';
          compare(
            wrong,
            `report ${key} ${variable}`,
            value === null ? null : value * 1_000,
            sums.get(key)?.get(variable),
          );
        });
      }
    };
    const byDay = Map.groupBy(hours, ([day]) => day);
    for (const [day, own] of byDay) {
      put(
        await this.#report(siteId, 'day', day),
        own.map(([, hourMs]) => `${day} ${hourMs}`),
        ofHours,
      );
    }
    for (const month of new Set([...byDay.keys()].map((day) => day.slice(0, 7)))) {
      const length = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
      const names = Array.from({ length }, (_, place) => `${month}-${String(place + 1).padStart(2, '0')}`);
      put(await this.#report(siteId, 'month', month), names, days);
    }
    const named = [...years.keys()].sort();
    for (const year of named) {
      const names = Array.from({ length: 12 }, (_, place) => `${year}-${String(place + 1).padStart(2, '0')}`);
      put(await this.#report(siteId, 'year', year), names, months);
    }
    put(await this.#report(siteId, 'total', named[0] ?? ''), named, years);
  }

  async #compareFiles(
    stationID: string,
    range: { firstDay: string; lastDay: string },
    reckoning: PlantReckoning,
    hours: readonly (readonly [day: string, hourMs: number])[],
    wrong: string[],
  ): Promise<void> {
    const wanted = new Map<HistoryStep, ReadonlyMap<string, Sums>>([
      [
        'hour',
        new Map(hours.map(([day, hourMs]) => [utc(hourMs), reckoning.hours.get(`${day} ${hourMs}`) ?? new Map()])),
      ],
      ['day', reckoning.days],
      ['month', reckoning.months],
    ]);
    if (reckoning.days.size <= 31)
      wanted.set('5min', new Map([...reckoning.buckets].map(([bucketMs, sums]) => [utc(bucketMs), sums])));
    for (const [step, sums] of wanted) {
      const asked = { stationID, ...range, step, variables: [...VARIABLES], format: 'csv' as const };
      const response = await this.fixture.fetch(siteEndpoints.historyExport, asked, this.#token);
      const [, ...lines] = (await response.text()).slice(1).trimEnd().split('\r\n');
      const keyAt = step === 'day' || step === 'month' ? 0 : 1;
      const seen = new Set<string>();
      for (const line of lines) {
        const cells = line.split(',');
        const key = cells[keyAt] ?? '';
        seen.add(key);
        VARIABLES.forEach((variable, place) => {
          const cell = cells[keyAt + 1 + 2 * place + Math.min(place, ENERGIES.length)] ?? '';
          compare(
            wrong,
            `file ${step} ${key} ${variable}`,
            cell === '' ? null : Number(cell) * 1_000,
            sums.get(key)?.get(variable),
          );
        });
      }
      for (const [key, { size }] of sums) if (size > 0 && !seen.has(key)) wrong.push(`file ${step} lacks ${key}`);
    }
  }

  async #compareFigures(stationID: string, lastDay: string, reckoning: PlantReckoning, wrong: string[]): Promise<void> {
    const figures = await this.fixture.read(siteEndpoints.figures, { stationID }, this.#token);
    const total: Sums = new Map();
    for (const sums of reckoning.years.values())
      for (const [name, amount] of sums) total.set(name, (total.get(name) ?? 0n) + amount);
    const recorded = new Map(total);
    const { openings } = reckoning;
    const before = (name: string, nanoWh: bigint | undefined) => {
      if (nanoWh !== undefined) total.set(name, (total.get(name) ?? 0n) + nanoWh);
    };
    before('PVEnergyTotal', openings.get('pv'));
    before('feedin', openings.get('export'));
    before('gridConsumption', openings.get('import'));
    before('chargeEnergyToTal', openings.get('charge'));
    before('dischargeEnergyToTal', openings.get('discharge'));
    const periods = {
      today: reckoning.days.get(lastDay),
      month: reckoning.months.get(lastDay.slice(0, 7)),
      year: reckoning.years.get(lastDay.slice(0, 4)),
      total,
    };
    for (const [period, sums] of Object.entries(periods) as [keyof typeof periods, Sums | undefined][]) {
      for (const [figure, names] of Object.entries(FIGURES) as [keyof typeof FIGURES, readonly string[]][]) {
        if (period === 'total' && figure === 'consumptionWh') continue;
        const known = names.flatMap((name) => sums?.get(name) ?? []);
        const wanted = known.length === 0 ? undefined : known.reduce((sum, amount) => sum + amount, 0n);
        compare(wrong, `figures ${period} ${figure}`, figures[period][figure], wanted);
      }
      for (const amount of ['income', 'saving'] as const) {
        const exact = (period === 'total' ? recorded : sums)?.get(amount);
        const wanted = exact === undefined ? null : decimal(exact, 2);
        const told = figures[period][amount];
        if ((told === null ? null : Number(told).toFixed(2)) !== wanted)
          wrong.push(`figures ${period} ${amount}: ${told} instead of ${wanted}`);
      }
    }
  }

  async #compareMoney(siteKey: number, { days }: PlantReckoning, wrong: string[]): Promise<void> {
    const query = `SELECT toString(day) AS day, toString(income) AS income, toString(saving) AS saving
      FROM site_day FINAL WHERE site = ${siteKey} ORDER BY day`;
    const answer = await this.fixture.stores.telemetry.client.query({ query, format: 'JSONEachRow' });
    const rows = await answer.json<{ day: string; income: string | null; saving: string | null }>();
    for (const { day, ...told } of rows) {
      for (const name of ['income', 'saving'] as const) {
        const exact = days.get(day)?.get(name);
        const wanted = exact === undefined ? null : decimal(exact, 6);
        const value = told[name];
        const shown = value === null ? null : withSixDigits(value);
        if (shown !== wanted) wrong.push(`money ${day} ${name}: ${shown} instead of ${wanted}`);
      }
    }
  }
}

function withSixDigits(value: string): string {
  const [whole = '0', fraction = ''] = value.split('.');
  return `${whole}.${fraction.padEnd(6, '0')}`;
}

const utc = (tsMs: number): string => `${new Date(tsMs).toISOString().slice(0, 16)}Z`;

/** All hours of the days of a plant in their order, by its own clock. */
function hoursOf(
  clock: WallClock,
  { buckets }: PlantReckoning,
  firstDay: string,
  lastDay: string,
): (readonly [day: string, hourMs: number])[] {
  const [first = 0, last = 0] = [Math.min(...buckets.keys()), Math.max(...buckets.keys())];
  const hours = new Map<string, readonly [day: string, hourMs: number]>();
  const startMs = first - (first % QUARTER_MS) - 26 * 3_600_000;
  for (let tsMs = startMs; tsMs <= last + 26 * 3_600_000; tsMs += QUARTER_MS) {
    const { day, hourMs } = clock.at(tsMs);
    if (day >= firstDay && day <= lastDay) hours.set(`${day} ${hourMs}`, [day, hourMs]);
  }
  return [...hours.values()];
}

function compare(wrong: string[], what: string, toldWh: number | null, nanoWh: bigint | undefined): void {
  const wanted = whOf(nanoWh);
  if (toldWh === null && wanted === null) return;
  if (toldWh !== null && wanted !== null && Math.abs(toldWh - wanted) <= TOLERANCE_WH) return;
  wrong.push(`${what}: ${toldWh} instead of ${wanted} Wh`);
}
