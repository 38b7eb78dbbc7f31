import { SUNRISE_ELEVATION_DEG } from '@sonnenwarte/energy/physics/sun';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FaultBoard } from '../faults.ts';
import type { FleetPlant, WorkMode } from '../fleet.ts';
import { samplePlant } from '../testing/sample-plant.ts';
import { Plant } from './plant.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const modes: WorkMode[] = ['self-use', 'feed-in-priority', 'backup', 'battery-support', 'peak-shaving'];
const keys = ['lindenblick', 'ulivo', 'pomar', 'livada', 'valdeluz', 'kapas', 'karoo', 'red-gum'];

const someDay = fc.record({
  key: fc.constantFrom(...keys),
  mode: fc.constantFrom(...modes),
  seed: fc.integer({ min: 0, max: 1e6 }),
  day: fc.integer({ min: 0, max: 364 }),
});

function made(key: string, startMs: number, change: Partial<FleetPlant> = {}): Plant {
  return new Plant(samplePlant(key, change), startMs, new FaultBoard());
}

/** Runs a plant minute by minute through days and shows each. */
function run(plant: Plant, days: number, look: (plant: Plant) => void, stepMs = MINUTE_MS): void {
  const endMs = plant.tsMs + days * DAY_MS;
  while (plant.tsMs < endMs) {
    plant.advanceTo(plant.tsMs + stepMs);
    look(plant);
  }
}

const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
const pvWh = (plant: Plant) => total(Object.values(plant.state.inverters).map((each) => each.pvWh));

describe('every day of every plant in every mode', () => {
  test('balances, keeps its limits and counts what flows', () => {
    fc.assert(
      fc.property(someDay, ({ key, mode, seed, day }) => {
        const startMs = Date.UTC(2025, 0, 1) + day * DAY_MS;
        const plant = made(key, startMs, { workMode: mode, seed });
        const before = structuredClone(plant.state);
        const integral = { importWh: 0, exportWh: 0, loadWh: 0, dcWh: 0, chargeWh: 0, dischargeWh: 0 };
        let last = counters(plant);
        const wrong: string[] = [];
        run(plant, 1, () => {
          wrong.push(...wrongAt(plant), ...fallen(plant, last));
          last = counters(plant);
          const { gridW, loadW, batteryW } = plant.powers;
          integral.importWh += Math.max(0, gridW) / 60;
          integral.exportWh += Math.max(0, -gridW) / 60;
          integral.loadWh += loadW / 60;
          integral.dcWh += total(plant.inverters.map((unit) => unit.dcW)) / 60;
          integral.chargeWh += Math.max(0, -batteryW) / 60;
          integral.dischargeWh += Math.max(0, batteryW) / 60;
        });
        expect(wrong).toEqual([]);
        expect(plant.state.importWh - before.importWh).toBeCloseTo(integral.importWh, 3);
        expect(plant.state.exportWh - before.exportWh).toBeCloseTo(integral.exportWh, 3);
        expect(plant.state.loadWh - before.loadWh).toBeCloseTo(integral.loadWh, 3);
        expect(pvWh(plant) - total(Object.values(before.inverters).map((each) => each.pvWh))).toBeCloseTo(
          integral.dcWh,
          3,
        );
        checkStoredEnergy(plant, before);
      }),
      { numRuns: 40 },
    );
  });
});

/** What is wrong at a moment; plain conditions, since there are tens of thousands of moments. */
function wrongAt(plant: Plant): string[] {
  const wrong: string[] = [];
  const must = (isTrue: boolean, what: string) => {
    if (!isTrue) wrong.push(`${what} at ${new Date(plant.tsMs).toISOString()}`);
  };
  const { pvW, externalW, batteryW, gridW, loadW, chargerW } = plant.powers;
  must(Math.abs(pvW + externalW + batteryW + gridW - loadW - chargerW) < 0.5, 'the bus does not balance');
  must(Math.min(pvW, externalW, loadW, chargerW) >= 0, 'a power is negative');
  must(plant.conditions.elevationDeg >= SUNRISE_ELEVATION_DEG || pvW === 0, 'PV power by night');
  must(
    plant.planes.every((plane) => plane.moduleC >= plant.conditions.ambientC),
    'a module is colder than the air',
  );
  for (const unit of plant.inverters) {
    must(Math.abs(unit.acW) <= unit.device.ratedPowerW + 1e-6, 'AC power above the rating');
    must(unit.pvAcW <= unit.dcW + 1e-6, 'more AC than DC power');
    must(isNear(unit.dcW, total(unit.mppts.map((mppt) => mppt.powerW))), 'trackers do not add up');
    for (const mppt of unit.mppts) {
      must(isNear(mppt.voltageV * mppt.currentA, mppt.powerW), 'power is not voltage times current');
      must(isNear(total(mppt.stringsA), mppt.currentA), 'strings do not add up');
    }
  }
  for (const unit of plant.storages) {
    must(unit.socPercent >= 0 && unit.socPercent <= 100, 'state of charge');
    must(unit.powerW <= unit.device.params.maxDischargeW + 1e-6, 'discharges too fast');
    must(-unit.powerW <= unit.device.params.maxChargeW + 1e-6, 'charges too fast');
    must(unit.powerW <= 0 || unit.socPercent >= plant.settings.minSocPercent - 1e-6, 'discharged below the minimum');
    must(unit.powerW * batteryW >= 0, 'one battery charges another');
  }
  return wrong;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a));
}

/** Names of counters that went back. */
function fallen(plant: Plant, last: Counters): string[] {
  const now = counters(plant);
  const isNewDay = now.localDay !== last.localDay;
  return Object.keys(now).filter(
    (name) => (now[name] ?? 0) < (last[name] ?? 0) && !(isNewDay && name.includes('Today')),
  );
}

type Counters = Record<string, number>;

function counters({ state }: Plant): Counters {
  const { importWh, exportWh, loadWh, loadTodayWh, importTodayWh, exportTodayWh, localDay } = state;
  const found: Counters = { importWh, exportWh, loadWh, loadTodayWh, importTodayWh, exportTodayWh, localDay };
  for (const [sn, each] of Object.entries(state.inverters)) {
    found[`${sn} pv`] = each.pvWh;
    found[`${sn} pvToday`] = each.pvTodayWh;
    found[`${sn} acOut`] = each.acOutWh;
    found[`${sn} acIn`] = each.acInWh;
  }
  for (const [sn, each] of Object.entries(state.batteries)) {
    found[`${sn} charged`] = each.battery.chargedWh;
    found[`${sn} discharged`] = each.battery.dischargedWh;
  }
  return found;
}

function checkStoredEnergy(plant: Plant, before: Plant['state']): void {
  for (const unit of plant.storages) {
    const old = before.batteries[unit.device.sn]?.battery;
    const now = unit.state.battery;
    const chargedWh = now.chargedWh - (old?.chargedWh ?? 0);
    const dischargedWh = now.dischargedWh - (old?.dischargedWh ?? 0);
    const movedWh = chargedWh * 0.955 - dischargedWh / 0.955;
    const storedWh =
      ((unit.socPercent - (old?.socPercent ?? 0)) / 100) * unit.device.capacityWh * (unit.sohPercent / 100);
    expect(Math.abs(storedWh - movedWh)).toBeLessThan(0.02 * Math.max(200, chargedWh + dischargedWh));
  }
}

describe('time', () => {
  test('the same seed gives the same series, another seed another one', () => {
    const startMs = Date.UTC(2026, 4, 10);
    const series = (seed: number) => {
      const plant = made('pod-lasem', startMs, { seed });
      const values: number[] = [];
      run(plant, 1, () => values.push(plant.powers.pvW, plant.powers.loadW, plant.powers.gridW), 5 * MINUTE_MS);
      return values;
    };
    expect(series(5)).toEqual(series(5));
    expect(series(5)).not.toEqual(series(6));
  });

  test('a plant whose state was saved and restored goes on as if nothing had happened', () => {
    const startMs = Date.UTC(2026, 4, 10);
    const whole = made('lindenblick', startMs);
    whole.advanceTo(startMs + 2 * DAY_MS);
    const first = made('lindenblick', startMs);
    first.advanceTo(startMs + DAY_MS);
    const saved = JSON.parse(JSON.stringify(first.state));
    const second = new Plant(samplePlant('lindenblick'), startMs + DAY_MS, new FaultBoard(), saved);
    second.advanceTo(startMs + 2 * DAY_MS);
    expect(second.state.inverters).toEqual(whole.state.inverters);
    expect(second.state.importWh).toBeCloseTo(whole.state.importWh, 6);
  });

  test('steps of ten seconds give the energy of steps of a minute within a hundredth', () => {
    const startMs = Date.UTC(2026, 5, 1);
    const coarse = made('tilleuls', startMs);
    const fine = made('tilleuls', startMs);
    const before = pvWh(coarse);
    coarse.advanceTo(startMs + DAY_MS);
    run(fine, 1, () => undefined, 10_000);
    expect((pvWh(fine) - before) / (pvWh(coarse) - before)).toBeCloseTo(1, 2);
  });

  test.each([
    ['spring, 23 hours', '2026-03-28T23:00:00Z', 23],
    ['autumn, 25 hours', '2026-10-24T22:00:00Z', 25],
  ])('on the day of the clock change (%s) today counters run from midnight to midnight', (_name, start, hours) => {
    const startMs = Date.parse(start);
    const plant = made('lindenblick', startMs);
    const before = plant.state.loadWh;
    const endMs = startMs + hours * 3_600_000;
    plant.advanceTo(endMs);
    expect(plant.clock.startOfDay(endMs - 1)).toBe(startMs);
    expect(plant.state.loadTodayWh).toBeCloseTo(plant.state.loadWh - before, 6);
    plant.advanceTo(endMs + MINUTE_MS);
    expect(plant.state.loadTodayWh).toBeLessThan(100);
  });

  test('at +05:30 the local day begins at half past six in the evening, UTC', () => {
    const plant = made('kapas', Date.UTC(2026, 4, 10));
    plant.advanceTo(Date.UTC(2026, 4, 10, 18, 30));
    expect(plant.state.loadTodayWh).toBeGreaterThan(1000);
    plant.advanceTo(Date.UTC(2026, 4, 10, 18, 31));
    expect(plant.state.loadTodayWh).toBeLessThan(1000);
  });
});

describe('a year', () => {
  test('near Munich, facing south at 35 degrees, gives 900 to 1,150 kWh per kWp', () => {
    const arrays = [
      { azimuthDeg: 180, inclinationDeg: 35, kwp: 6.6, strings: 1 },
      { azimuthDeg: 180, inclinationDeg: 35, kwp: 3.3, strings: 1 },
    ];
    const plant = made('lindenblick', Date.UTC(2025, 0, 1), { arrays });
    const before = pvWh(plant);
    plant.advanceTo(Date.UTC(2026, 0, 1));
    const yieldKwh = (pvWh(plant) - before) / 1000 / 9.9;
    expect(yieldKwh).toBeGreaterThan(900);
    expect(yieldKwh).toBeLessThan(1150);
  });

  test('south of the equator January gives more than July', () => {
    const month = (startMs: number) => {
      const plant = made('karoo', startMs);
      const before = pvWh(plant);
      plant.advanceTo(startMs + 14 * DAY_MS);
      return pvWh(plant) - before;
    };
    expect(month(Date.UTC(2026, 0, 1))).toBeGreaterThan(1.15 * month(Date.UTC(2026, 5, 15)));
  });

  test('household and business use what their profiles say, within a tenth', () => {
    for (const key of ['tilleuls', 'kapas']) {
      const plant = made(key, Date.UTC(2026, 0, 1));
      const before = plant.state.loadWh;
      plant.advanceTo(Date.UTC(2026, 0, 57));
      const share = (plant.state.loadWh - before) / (plant.plant.load.annualKwh * 1000 * (56 / 365));
      expect(Math.abs(share - 1)).toBeLessThan(0.1);
    }
  });
});

describe('modes', () => {
  const startMs = Date.UTC(2026, 5, 1);

  test('feed-in priority charges only what is beyond the export limit', () => {
    const plant = made('pomar', startMs);
    let charged = 0;
    run(plant, 3, () => {
      if (plant.powers.batteryW >= -1) return;
      charged += 1;
      expect(-plant.powers.gridW).toBeGreaterThan(3499);
    });
    expect(charged).toBeGreaterThan(10);
  });

  test('an export limit is never passed', () => {
    const plant = made('red-gum', Date.UTC(2026, 0, 5));
    let throttled = 0;
    run(plant, 3, () => {
      expect(-plant.powers.gridW).toBeLessThanOrEqual(5000.5);
      if (plant.powers.gridW < -4999) throttled += 1;
    });
    expect(throttled).toBeGreaterThan(0);
  });

  test('backup holds the state of charge and gives nothing while the grid is there', () => {
    const plant = made('karoo', startMs);
    run(plant, 2, () => expect(plant.powers.batteryW).toBeLessThanOrEqual(0));
    expect(plant.storages[0]?.socPercent).toBeGreaterThan(79);
  });

  test('peak shaving keeps the import at the limit while the battery lasts', () => {
    const plant = made('valdeluz', startMs);
    let shaved = 0;
    run(plant, 2, () => {
      if (plant.powers.batteryW <= 100) return;
      shaved += 1;
      expect(plant.powers.gridW).toBeGreaterThan(44_000);
    });
    expect(shaved).toBeGreaterThan(0);
  });

  test('battery support discharges in its period as told, and not below its own limit', () => {
    const plant = made('ulivo', startMs);
    let discharged = 0;
    run(plant, 2, () => {
      const minute = plant.clock.minuteOfDay(plant.tsMs - 1);
      if (minute < 1141 || minute > 1319 || plant.powers.batteryW <= 0) return;
      discharged += 1;
      expect(plant.powers.batteryW).toBeLessThanOrEqual(2000.5);
    });
    expect(discharged).toBeGreaterThan(10);
  });
});

describe('a plant put away before it has lived through anything', () => {
  test('keeps the clouds of its time, not of the beginning of all time', () => {
    const startMs = Date.UTC(2026, 5, 1, 9, 30);
    const { state, conditions } = made('lindenblick', startMs);
    expect(state.clouds.minute).toBe(startMs / MINUTE_MS);
    const again = new Plant(samplePlant('lindenblick'), startMs, new FaultBoard(), structuredClone(state));
    expect(again.conditions).toEqual(conditions);
  });

  test('begins with clouds of now where what was kept is older than a day', () => {
    const startMs = Date.UTC(2026, 5, 1, 9, 30);
    const { state } = made('lindenblick', startMs);
    const old = { ...state, clouds: { ...state.clouds, minute: 0 } };
    expect(new Plant(samplePlant('lindenblick'), startMs, new FaultBoard(), old).conditions).toEqual(
      made('lindenblick', startMs).conditions,
    );
  });
});

test('a heat pump that was started runs for ten minutes at least and rests for five, whatever surplus does, and not much oftener than once in two hours', () => {
  const startMs = Date.UTC(2025, 3, 10);
  const plant = new Plant(samplePlant('ulivo'), startMs, new FaultBoard());
  let [isOn, sinceMs, starts] = [false, startMs, 0];
  while (plant.tsMs < startMs + 3 * 86_400_000) {
    plant.advanceTo(plant.tsMs + 10_000);
    if (plant.heatPumpW > 0 === isOn) continue;
    if (sinceMs > startMs) expect(plant.tsMs - sinceMs).toBeGreaterThanOrEqual(isOn ? 600_000 : 300_000);
    isOn = !isOn;
    sinceMs = plant.tsMs;
    if (isOn) starts += 1;
  }
  expect(starts).toBeGreaterThan(3 * 6);
  expect(starts).toBeLessThan(3 * 20);
});
