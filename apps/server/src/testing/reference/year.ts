import type { Case } from './cases.ts';
import { all, changed, type Damage, frozen, oddAt, silent, standsAt, untold } from './damage.ts';
import { type HouseDevice, liveIn } from './house.ts';
import type { PricesOfDay, ReferenceTariff } from './plant-reckoning.ts';
import type { NewPrices, Portion } from './told-plants.ts';

const utc = (text: string): number => Date.parse(`${text}Z`);

const YEAR = { first: utc('2024-12-31T23:00'), end: utc('2025-12-31T23:00') };
const EVER = Number.POSITIVE_INFINITY;
const STEP_MS = 300_000;
const PV = 'Energy/PvTotal';
const IN = 'Meter/ImportTotal';
const OUT = 'Meter/ExportTotal';

/** Of all devices at once: the line was down. */
const outages: Damage = all(
  silent(utc('2025-01-31T15:00'), utc('2025-02-01T10:30')),
  silent(utc('2025-03-29T14:00'), utc('2025-03-30T12:00')),
  silent(utc('2025-05-10T07:00'), utc('2025-05-21T13:00')),
  silent(utc('2025-07-07T20:00'), utc('2025-07-08T09:00')),
  silent(utc('2025-10-25T13:00'), utc('2025-10-26T13:00')),
);

const ofInverter: Damage = all(
  standsAt(PV, utc('2025-01-12T11:00'), EVER, 0.02),
  standsAt(PV, utc('2025-02-14T10:00'), EVER, 655.3),
  changed(utc('2025-02-14T10:00'), EVER, (values) => ({ ...values, [PV]: (values[PV] ?? 0) % 655.36 })),
  oddAt(PV, utc('2025-03-05T10:00'), utc('2025-03-05T10:15'), 4_294_967.295),
  oddAt(PV, utc('2025-03-06T10:00'), utc('2025-03-06T10:15'), 0),
  standsAt(PV, utc('2025-04-11T12:00'), EVER, 12_345.6),
  standsAt(PV, utc('2025-06-02T09:00'), EVER, 6_000.5),
  frozen([PV], utc('2025-06-15T09:00'), utc('2025-06-15T13:00')),
  untold([PV], utc('2025-06-20T15:30'), utc('2025-06-22T08:00')),
  changed(utc('2025-07-01T00:00'), utc('2025-07-02T00:00'), (values) => ({
    ...values,
    'DC/Power': values['DC/Power'] === 0 ? -12 : (values['DC/Power'] ?? 0),
  })),
  standsAt(PV, utc('2025-09-09T10:00'), utc('2025-09-09T14:00'), 77),
);

const ofMeter: Damage = all(
  oddAt(OUT, utc('2025-04-20T11:00'), utc('2025-04-20T11:15'), 99_999),
  standsAt(IN, utc('2025-08-03T11:00'), EVER, 0),
  standsAt(OUT, utc('2025-11-05T22:00'), EVER, 0),
);

const ofBattery: Damage = all(
  standsAt('Bat/ChargeTotal', utc('2025-08-20T22:00'), EVER, 0.01),
  standsAt('Bat/DischargeTotal', utc('2025-08-20T12:00'), EVER, 0),
);

const ofPile: Damage = standsAt('Pile/EnergyTotal', utc('2025-12-05T22:00'), EVER, 0);

const damages: Readonly<Record<HouseDevice['kind'], Damage>> = {
  inverter: ofInverter,
  battery: ofBattery,
  meter: ofMeter,
  pile: ofPile,
};

/** Parts of a year in the order in which they are told: late ones first missed, some twice. */
const ORDER = [0, 1, 3, 2, 2, 4, 7, 5, 6, 8, 0, 9, 11, 10];
const PARTS = 12;

/** A year of a house with all that goes wrong in it, and the order in which it is told. */
export function damagedYear(): Case & { readonly portions: readonly Portion[] } {
  const house = liveIn(
    {
      firstMs: YEAR.first,
      steps: (YEAR.end - YEAR.first) / STEP_MS,
      every: 3,
      seed: 2025,
      parts: ['battery', 'meter', 'pile'],
    },
    'REF-YEAR',
  );
  const devices = house.map((device) => ({ ...device, tellings: all(outages, damages[device.kind])(device.tellings) }));
  const portions = ORDER.map((part) => {
    const [fromMs, toMs] = [part, part + 1].map((edge) => YEAR.first + (edge * (YEAR.end - YEAR.first)) / PARTS);
    return devices.map((device) => ({
      device,
      tellings: device.tellings.filter(({ tsMs }) => tsMs >= (fromMs ?? 0) && tsMs < (toMs ?? 0)),
    }));
  });
  return { zone: 'Europe/Berlin', devices, portions };
}

export const flat = (microPrice: bigint): PricesOfDay => ({ weekday: [[0, microPrice]] });

/** Prices as they are entered, and as the reference reads them: from the middle of a day on, and by the time of day. */
export const newPrices: readonly { readonly entered: NewPrices; readonly read: ReferenceTariff }[] = [
  {
    entered: { feedInPrice: '0.073', purchasePrice: '0.351', validFrom: '2025-04-10T12:30' },
    read: { fromMs: utc('2025-04-10T10:30'), feedIn: flat(73_000n), purchase: flat(351_000n) },
  },
  {
    entered: {
      feedInPrice: '0.061',
      purchasePrice: null,
      purchasePeriods: {
        weekday: [
          { from: '00:00', price: '0.221' },
          { from: '06:15', price: '0.337' },
          { from: '17:00', price: '0.489' },
        ],
        weekend: [
          { from: '00:00', price: '0.2' },
          { from: '12:00', price: '0.301' },
        ],
      },
      validFrom: '2025-09-01',
    },
    read: {
      fromMs: utc('2025-08-31T22:00'),
      feedIn: flat(61_000n),
      purchase: {
        weekday: [
          [0, 221_000n],
          [375, 337_000n],
          [1_020, 489_000n],
        ],
        weekend: [
          [0, 200_000n],
          [720, 301_000n],
        ],
      },
    },
  },
];

/** What `makePlant` sets. */
export const firstPrices: ReferenceTariff = { fromMs: 0, feedIn: flat(80_000n), purchase: flat(300_000n) };
