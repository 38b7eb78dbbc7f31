import { Random } from '@sonnenwarte/energy/random';
import type { Climate, FleetDevice, FleetPlant, PlantArray } from '../fleet.ts';

/** What a test wants of a plant; the rest is drawn. */
export interface WantedPlant {
  hasBattery?: boolean;
  /** Limit of feeding in over the size of the arrays; none without it. */
  exportPerWp?: number;
  /** AC rating of the inverters over the size of the arrays. */
  ratedPerWp?: number;
  inverters?: 1 | 2;
}

const KM_PER_DEGREE = 111;

/** A place of which plants of one seed are neighbours. */
export interface Region {
  seed: number;
  climate: Climate;
  timeZone: string;
  latitude: number;
  longitude: number;
  altitudeM: number;
}

interface Land {
  timeZone: string;
  latitude: readonly [least: number, most: number];
  longitude: readonly [least: number, most: number];
}

/** Central Europe, the Mediterranean, the Deccan and the south of Africa. */
const lands: Record<Climate, Land> = {
  temperate: { timeZone: 'Europe/Berlin', latitude: [47.6, 53.5], longitude: [7, 13.5] },
  mediterranean: { timeZone: 'Europe/Rome', latitude: [37, 44], longitude: [-8, 16] },
  monsoon: { timeZone: 'Asia/Kolkata', latitude: [12, 24], longitude: [73, 82] },
  arid: { timeZone: 'Africa/Johannesburg', latitude: [-34, -27], longitude: [18, 28] },
};

export function region(seed: number, climate: Climate): Region {
  const random = new Random(`region ${seed}`);
  const { timeZone, latitude, longitude } = lands[climate];
  return {
    seed,
    climate,
    timeZone,
    latitude: random.between(...latitude),
    longitude: random.between(...longitude),
    altitudeM: random.between(20, 600),
  };
}

/** A healthy plant within 10 km of the middle of a region: roofs, sizes and consumption differ, the weather is nearly the same. */
export function neighbour(around: Region, index: number, wanted: WantedPlant = {}): FleetPlant {
  const random = new Random(`neighbour ${around.seed} ${index}`);
  // All is drawn, wanted or not, so that two plants of one place differ in nothing else.
  const drawn = {
    inverters: random.chance(0.25) ? 2 : 1,
    ratedPerWp: random.between(0.92, 1.1),
    hasBattery: random.chance(0.5),
  };
  const arrays = roofs(random).map((roof) => (around.latitude < 0 ? mirrored(roof) : roof));
  const kwp = arrays.reduce((sum, each) => sum + each.kwp, 0);
  const { inverters, ratedPerWp, hasBattery } = { ...drawn, ...wanted };
  const ratedW = Math.round((kwp * 1000 * ratedPerWp) / inverters / 100) * 100;
  const sn = (letter: string, number: number) => `${letter}${around.seed}N${index}U${number}`;
  const devices: FleetDevice[] = [];
  for (let unit = 0; unit < inverters; unit += 1) {
    const mppts = arrays.map(({ kwp: size, strings }, array) => ({ array, kwp: size / inverters, strings }));
    devices.push({
      ...device(sn('H', unit)),
      kind: 'inverter',
      ratedPowerW: ratedW,
      params: { phases: 3, mppts },
    });
  }
  if (hasBattery) {
    devices.push({
      ...device(sn('B', 0)),
      kind: 'battery',
      capacityWh: 1000 * Math.round(random.between(5, 12)),
      params: { inverter: sn('H', 0), maxChargeW: 4000, maxDischargeW: 4000, packs: 2 },
    });
  }
  devices.push({ ...device(sn('M', 0)), kind: 'meter', role: 'grid', params: {} });
  return {
    key: `n${around.seed}-${index}`,
    name: `Neighbour ${index}`,
    type: hasBattery ? 2 : 1,
    country: 'DE',
    city: '',
    address: '',
    postcode: '',
    latitude: around.latitude + random.between(-7, 7) / KM_PER_DEGREE,
    longitude: around.longitude + random.between(-7, 7) / KM_PER_DEGREE / 0.63,
    altitudeM: around.altitudeM,
    climate: around.climate,
    timeZone: around.timeZone,
    currency: 'EUR',
    feedInPrice: '0.08',
    purchasePrice: '0.34',
    systemSizeKwp: kwp,
    ratedPowerW: ratedW * inverters,
    commissionedOn: `${2014 + random.integer(11)}-05-01`,
    gridConnectedOn: '2025-01-01',
    arrays,
    seed: around.seed * 1000 + index,
    region: around.seed,
    load: { profile: 'household', annualKwh: random.between(2500, 6500), heatPump: false, sundayPercent: 100 },
    workMode: 'self-use',
    settings: {
      minSocPercent: 10,
      backupSocPercent: 50,
      gridCharge: false,
      exportLimitW: wanted.exportPerWp === undefined ? null : wanted.exportPerWp * kwp * 1000,
      peakLimitW: null,
      schedule: [],
    },
    faults: [],
    loggers: [{ sn: sn('L', 0), type: 'LAN', model: 'SW-LL', firmware: '1.9.4', hardware: 'A3', devices }],
  };
}

/** One roof to the south with two strings, or two roofs with at least one each. */
function roofs(random: Random): PlantArray[] {
  const inclinationDeg = random.between(18, 42);
  const kwp = random.between(2.2, 6);
  if (random.chance(0.4)) {
    return [{ azimuthDeg: random.between(140, 220), inclinationDeg, kwp: 2 * kwp, strings: 2 }];
  }
  const azimuthDeg = random.between(85, 190);
  return [
    { azimuthDeg, inclinationDeg, kwp, strings: 1 },
    {
      azimuthDeg: azimuthDeg + (random.chance(0.5) ? 90 : 180) * 0.9,
      inclinationDeg,
      kwp: kwp * random.between(0.6, 1),
      strings: 1,
    },
  ];
}

/** South of the equator roofs look north as they look south here. */
const mirrored = (roof: PlantArray): PlantArray => ({ ...roof, azimuthDeg: (540 - roof.azimuthDeg) % 360 });

function device(sn: string): {
  sn: string;
  role: string;
  model: string;
  odmSn: string;
  hardware: string;
  versions: { master: string };
} {
  return { sn, role: '', model: 'SW', odmSn: sn, hardware: 'A', versions: { master: '1.0.0' } };
}
