import {
  all,
  changed,
  type Damage,
  frozen,
  inSteps,
  oddAt,
  only,
  silent,
  standsAt,
  swapped,
  untold,
  wrapsAt,
} from './damage.ts';
import type { Telling } from './device-reckoning.ts';
import { type HouseDevice, type HouseOptions, liveIn } from './house.ts';
import type { Portion } from './told-plants.ts';

/** A plant to which something happened. */
export interface Case {
  readonly zone: string;
  /** With what counts of what they told. */
  readonly devices: readonly HouseDevice[];
  /** What is told beside or in which order; all of the devices at once where absent. */
  readonly portions?: readonly Portion[];
}

interface Frame extends Partial<HouseOptions> {
  readonly zone?: string;
  /** First and last UTC time, `YYYY-MM-DDTHH:MM`. */
  readonly from?: string;
  readonly to?: string;
}

const BERLIN = 'Europe/Berlin';
const MINUTE_MS = 60_000;
const ALWAYS = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
const FULL = ['battery', 'meter'] as const;
const PV = 'Energy/PvTotal';

export const utc = (text: string): number => Date.parse(`${text}Z`);

let lastCase = 0;

function house({ from = '2025-06-10T06:00', to = '2025-06-12T20:00', ...options }: Frame): HouseDevice[] {
  lastCase += 1;
  const firstMs = utc(from);
  const steps = Math.round((utc(to) - firstMs) / (5 * MINUTE_MS));
  return liveIn({ seed: lastCase, ...options, firstMs, steps }, `REF-${lastCase}`);
}

type Damages = Partial<Record<HouseDevice['kind'] | 'all', Damage>>;

/** A house whose devices are damaged by their kind. */
function damaged(frame: Frame, damages: Damages): Case {
  const devices = house(frame).map((device) => ({
    ...device,
    tellings: (damages[device.kind] ?? damages.all ?? all())(device.tellings),
  }));
  return { zone: frame.zone ?? BERLIN, devices };
}

const inverterOf = (devices: readonly HouseDevice[]): HouseDevice => devices[0] as HouseDevice;

/** The rows of a device in portions whose places are given. */
function inPortions(devices: readonly HouseDevice[], places: readonly number[], count: number): Portion[] {
  return places.map((place) =>
    devices.map((device) => {
      const size = Math.ceil(device.tellings.length / count);
      return { device, tellings: device.tellings.slice(place * size, (place + 1) * size) };
    }),
  );
}

function lateAndDoubled(): Case {
  const devices = house({ parts: FULL });
  return { zone: BERLIN, devices, portions: inPortions(devices, [3, 1, 1, 4, 0, 2, 0], 5) };
}

/** History of an impossible clock, in the past and to come, with a counter far beyond: nobody knows when it was. */
function wrongClock(): Case {
  const devices = house({ parts: FULL });
  const nonsense: Telling[] = [1_000, Date.UTC(2019, 5, 1), Date.now() + 3 * 3_600_000].map((tsMs) => ({
    tsMs,
    values: { [PV]: 5_900, 'DC/Power': 90_000 },
  }));
  const inverter = inverterOf(devices);
  const [told] = inPortions(devices, [0], 1);
  return { zone: BERLIN, devices, portions: [[...(told ?? []), { device: inverter, tellings: nonsense }]] };
}

/** A device with another number takes over after two silent hours. */
function otherNumber(): Case {
  const [inverter, ...others] = house({ parts: FULL });
  const own = inverter as HouseDevice;
  const tellings = silent(...ALWAYS)([]).concat(own.tellings);
  const first = silent(utc('2025-06-11T10:00'), Number.POSITIVE_INFINITY)(tellings);
  const second = all(
    silent(Number.NEGATIVE_INFINITY, utc('2025-06-11T12:00')),
    standsAt(PV, utc('2025-06-11T12:00'), Number.POSITIVE_INFINITY, 3.2),
    standsAt('Energy/AcOutTotal', utc('2025-06-11T12:00'), Number.POSITIVE_INFINITY, 2.9),
    standsAt('Energy/AcInTotal', utc('2025-06-11T12:00'), Number.POSITIVE_INFINITY, 0.4),
  )(tellings);
  return {
    zone: BERLIN,
    devices: [{ ...own, tellings: first }, { ...own, sn: `${own.sn}2`, tellings: second }, ...others],
  };
}

function swappedInverters(): Case {
  const [one] = house({ seed: 401 });
  const [other] = house({ seed: 402 });
  const [first, second] = [one as HouseDevice, other as HouseDevice];
  const plain = only([PV, 'DC/Power']);
  const moved = standsAt(PV, ...ALWAYS, 812.5)(plain(second.tellings));
  const [mine, theirs] = swapped(plain(first.tellings), moved, utc('2025-06-11T09:00'), utc('2025-06-11T13:00'));
  return {
    zone: BERLIN,
    devices: [
      { ...first, tellings: mine },
      { ...second, tellings: theirs },
    ],
  };
}

/** The meter of the house was put on backwards: it tells what it takes as if it gave it. */
function reversedLoadMeter(): Case {
  const devices = house({ parts: ['meter'] });
  const meter = devices.find(({ kind }) => kind === 'meter') as HouseDevice;
  const tellings = meter.tellings.map(({ tsMs, values }) => ({
    tsMs,
    values: {
      'Meter/ImportTotal': 0,
      'Meter/ExportTotal': values['Meter/ImportTotal'] ?? 0,
      'Meter/ActivePower': -Math.max(0, values['Meter/ActivePower'] ?? 0),
    },
  }));
  return { zone: BERLIN, devices: [{ ...meter, role: 'load', tellings }] };
}

/** One message calls the inverter a meter: it is refused and changes nothing. */
function wrongKind(): Case {
  const devices = house({});
  const inverter = inverterOf(devices);
  const tellings = [{ tsMs: utc('2025-06-11T12:00') + 30_000, values: { 'Meter/ImportTotal': 1 } }];
  return {
    zone: BERLIN,
    devices,
    portions: [
      [{ device: inverter, tellings: inverter.tellings }],
      [{ device: { ...inverter, kind: 'meter' }, tellings }],
    ],
  };
}

const NIGHT = [utc('2025-06-10T19:30'), utc('2025-06-11T08:10')] as const;
const NOON = utc('2025-06-11T10:00');
const LATER = utc('2025-06-11T12:30');
const COUNTERS = ['Energy/PvTotal', 'Energy/AcOutTotal', 'Energy/AcInTotal'];

/** More than twenty kinds of damage, each to a plant of its own. */
export const cases: Readonly<Record<string, () => Case>> = {
  'nothing, with a battery, a meter and a car': () => damaged({ parts: ['battery', 'meter', 'pile'] }, {}),
  'readings between the edges of buckets': () => damaged({ parts: FULL, lagMs: 137_000 }, {}),
  'readings each quarter of an hour': () => damaged({ parts: FULL, every: 3 }, {}),
  'a counter that begins anew': () =>
    damaged({ parts: FULL }, { inverter: standsAt(PV, NOON, Number.POSITIVE_INFINITY, 0.02) }),
  'a counter that begins anew at 0 and again': () =>
    damaged(
      {},
      {
        inverter: all(
          standsAt(PV, NOON, Number.POSITIVE_INFINITY, 0),
          standsAt(PV, NOON + 26 * 60 * MINUTE_MS, Number.POSITIVE_INFINITY, 0),
        ),
      },
    ),
  'a register of 16 bits that passes its width': () =>
    damaged({ parts: FULL }, { inverter: wrapsAt(PV, NOON, 655.36) }),
  'a register of 32 bits that passes its width': () => damaged({}, { inverter: wrapsAt(PV, NOON, 4_294_967.296) }),
  'single readings that are nonsense': () =>
    damaged(
      { parts: FULL },
      {
        inverter: all(
          oddAt(PV, NOON, NOON + 5 * MINUTE_MS, 4_294_967.295),
          oddAt(PV, LATER, LATER + 5 * MINUTE_MS, 0),
          oddAt('Energy/AcOutTotal', LATER + 60 * MINUTE_MS, LATER + 65 * MINUTE_MS, 1),
        ),
        meter: oddAt('Meter/ExportTotal', NOON + 60 * MINUTE_MS, NOON + 65 * MINUTE_MS, 9_999),
      },
    ),
  'a rise by more than the channel carries': () =>
    damaged(
      {},
      { inverter: changed(NOON, Number.POSITIVE_INFINITY, (values) => ({ ...values, [PV]: (values[PV] ?? 0) + 10 })) },
    ),
  'a fall to half, from where it goes on': () =>
    damaged({ parts: FULL }, { inverter: standsAt(PV, NOON, Number.POSITIVE_INFINITY, 2_500.5) }),
  'a fall by one step of the counter': () =>
    damaged(
      {},
      { inverter: changed(NOON, NOON + 10 * MINUTE_MS, (values) => ({ ...values, [PV]: (values[PV] ?? 0) - 0.09 })) },
    ),
  'a silence over midnight': () => damaged({ parts: FULL }, { all: silent(NIGHT[0], NIGHT[1]) }),
  'a silence from one noon to the next': () => damaged({ parts: FULL }, { all: silent(NOON - 86_400_000, NOON) }),
  'a silence over the end of a month': () =>
    damaged(
      { parts: FULL, from: '2025-06-29T06:00', to: '2025-07-02T20:00', lagMs: 41_000 },
      { all: silent(utc('2025-06-30T14:00'), utc('2025-07-01T11:00')) },
    ),
  'a silence over the end of a year': () =>
    damaged(
      { parts: FULL, from: '2024-12-30T06:00', to: '2025-01-02T20:00' },
      { all: silent(utc('2024-12-31T09:00'), utc('2025-01-01T13:00')) },
    ),
  'a silence over the change to summer time': () =>
    damaged(
      { parts: FULL, from: '2025-03-29T06:00', to: '2025-03-31T20:00', lagMs: 61_000 },
      { all: silent(utc('2025-03-29T14:00'), utc('2025-03-30T10:00')) },
    ),
  'a silence over the change to winter time': () =>
    damaged(
      { parts: FULL, from: '2025-10-25T06:00', to: '2025-10-27T20:00' },
      { all: silent(utc('2025-10-25T13:00'), utc('2025-10-26T12:00')) },
    ),
  'a clock that is set by half an hour': () =>
    damaged({ zone: 'Australia/Lord_Howe', parts: FULL, from: '2025-10-03T06:00', to: '2025-10-05T20:00' }, {}),
  'a clock that is set back by half an hour': () =>
    damaged({ zone: 'Australia/Lord_Howe', parts: FULL, from: '2025-04-04T06:00', to: '2025-04-06T20:00' }, {}),
  'a zone of three quarters of an hour whose clock is set': () =>
    damaged({ zone: 'Pacific/Chatham', parts: FULL, from: '2025-09-26T06:00', to: '2025-09-28T20:00' }, {}),
  'late and doubled samples': lateAndDoubled,
  'clocks that are impossible': wrongClock,
  'another device in its place': otherNumber,
  'another counter in its place': () =>
    damaged({ parts: FULL }, { inverter: standsAt(PV, NOON, Number.POSITIVE_INFINITY, 12_345.6) }),
  'a reset during a silence': () =>
    damaged(
      {},
      { inverter: all(silent(NOON - 137 * MINUTE_MS, NOON), standsAt(PV, NOON, Number.POSITIVE_INFINITY, 3.4)) },
    ),
  'a reset during a silence between the edges of buckets': () =>
    damaged(
      { lagMs: 137_000 },
      { inverter: all(silent(NOON - 137 * MINUTE_MS, NOON), standsAt(PV, NOON, Number.POSITIVE_INFINITY, 3.4)) },
    ),
  'a register that passes its width during a silence over midnight': () =>
    damaged(
      { lagMs: 137_000 },
      {
        inverter: all(
          wrapsAt(PV, utc('2025-06-11T06:00'), 655.36),
          silent(utc('2025-06-10T15:00'), utc('2025-06-11T07:00')),
        ),
      },
    ),
  'a silence that ends with nonsense': () =>
    damaged(
      { lagMs: 137_000 },
      { inverter: all(silent(NOON - 180 * MINUTE_MS, NOON), oddAt(PV, NOON, NOON + 5 * MINUTE_MS, 0)) },
    ),
  'two counters replaced during a silence, and all goes on': () =>
    damaged(
      { parts: ['meter'], lagMs: 73_000 },
      {
        inverter: all(
          silent(...NIGHT),
          standsAt(PV, NIGHT[1], Number.POSITIVE_INFINITY, 0.4),
          standsAt('Energy/AcOutTotal', NIGHT[1], Number.POSITIVE_INFINITY, 77.7),
        ),
        meter: silent(...NIGHT),
      },
    ),
  'power only': () =>
    damaged(
      { parts: FULL },
      {
        inverter: only(['DC/Power', 'AC/ActivePower']),
        battery: only(['Bat/Power']),
        meter: only(['Meter/ActivePower']),
      },
    ),
  'counters of the day and powers only': () =>
    damaged(
      {},
      {
        inverter: all(
          changed(...ALWAYS, (values) => ({
            'DC/Power': values['DC/Power'] ?? 0,
            'Energy/PvToday': (values[PV] ?? 0) % 10,
          })),
        ),
      },
    ),
  'counters of the day and nothing else': () =>
    damaged(
      { parts: ['meter'] },
      { inverter: changed(...ALWAYS, (values) => ({ 'Energy/PvToday': (values[PV] ?? 0) % 10 })) },
    ),
  'inverters that answer for each other': swappedInverters,
  'a load meter that is put on backwards': reversedLoadMeter,
  'a message of another kind': wrongKind,
  'a counter that stands still and shows all at once': () =>
    damaged({ parts: FULL }, { inverter: frozen([PV], NOON, NOON + 200 * MINUTE_MS) }),
  'a counter that is read more often than it is counted': () =>
    damaged(
      {},
      {
        inverter: all(
          ...[0, 15, 30, 45, 60].map((minute) =>
            frozen([PV], NOON + minute * MINUTE_MS, NOON + (minute + 15) * MINUTE_MS),
          ),
        ),
      },
    ),
  'a counter of tenths of a kilowatt-hour': () => damaged({}, { inverter: inSteps([PV], 0.1) }),
  'a counter of whole kilowatt-hours': () => damaged({}, { inverter: inSteps([PV], 1) }),
  'a counter that is told in the evening only': () =>
    damaged(
      { from: '2025-06-09T16:00' },
      {
        inverter: changed(...ALWAYS, (values, tsMs) => {
          const { [PV]: counter = 0, 'DC/Power': power = 0 } = values;
          return tsMs % 86_400_000 === 57_600_000 ? { [PV]: counter, 'DC/Power': power } : { 'DC/Power': power };
        }),
      },
    ),
  'a counter without a power that is told in the evening only': () =>
    damaged(
      { from: '2025-06-09T16:00' },
      {
        inverter: changed(...ALWAYS, (values, tsMs) =>
          tsMs % 86_400_000 === 57_600_000 ? { [PV]: values[PV] ?? 0 } : { 'Temp/Heatsink': 40 },
        ),
      },
    ),
  'counters that are missing over midnight, while powers are told': () =>
    damaged({ lagMs: 137_000 }, { inverter: untold(COUNTERS, utc('2025-06-10T15:30'), utc('2025-06-11T08:00')) }),
  'a power below nought at night': () =>
    damaged(
      {},
      {
        inverter: changed(...ALWAYS, (values) => ({
          'DC/Power': values['DC/Power'] === 0 ? -12 : (values['DC/Power'] ?? 0),
        })),
      },
    ),
  'a battery whose counters begin anew': () =>
    damaged(
      { parts: FULL },
      {
        battery: all(
          standsAt('Bat/ChargeTotal', NOON, Number.POSITIVE_INFINITY, 0.03),
          standsAt('Bat/DischargeTotal', NOON, Number.POSITIVE_INFINITY, 0),
        ),
      },
    ),
};
