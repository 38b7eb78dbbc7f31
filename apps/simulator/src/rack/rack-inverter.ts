/** How a unit on the rack behaves: as it should, too hot after a while, with too little power, or silent after a while. */
export const behaviours = ['steady', 'hot', 'weak', 'silent'] as const;
export type Behaviour = (typeof behaviours)[number];

export interface RackUnit {
  readonly sn: string;
  readonly ratedW: number;
  readonly behaviour: Behaviour;
}

const ROOM_C = 27;
/** At full load the heat sink of a sound unit comes so far above the room. */
const RISE_K = 31;
/** A hot one gains so much more each minute. */
const DRIFT_K_PER_MINUTE = 1.4;
const WARM_UP_MINUTES = 12;
const SILENT_AFTER_MINUTES = 20;
const WEAK_SHARE = 0.88;
const SOUND_SHARE = 0.996;

/** A wave without a rest, so that curves look like those of a thing. */
const ripple = (minutes: number, place: number, size: number): number => Math.sin(minutes * 1.7 + place * 2.3) * size;

/** What a unit tells so many minutes after it was switched on, at a limit of its power; nothing while it is silent. */
export function rackValues(
  { ratedW, behaviour }: RackUnit,
  place: number,
  minutes: number,
  limitPercent: number,
): Record<string, number> | undefined {
  if (behaviour === 'silent' && minutes > SILENT_AFTER_MINUTES) return undefined;
  const share = (limitPercent / 100) * (behaviour === 'weak' ? WEAK_SHARE : SOUND_SHARE);
  const acW = Math.max(0, ratedW * share * (1 + ripple(minutes, place, 0.002)));
  const warm = 1 - Math.exp(-minutes / WARM_UP_MINUTES);
  const drift = behaviour === 'hot' ? DRIFT_K_PER_MINUTE * minutes : 0;
  return {
    'Rating/ActivePower': ratedW,
    'AC/ActivePower': Math.round(acW),
    'DC/Power': Math.round(acW / 0.974),
    'AC/L1/Voltage': round(231 + ripple(minutes, place, 1.2)),
    'AC/L2/Voltage': round(230 + ripple(minutes, place + 1, 1.2)),
    'AC/L3/Voltage': round(232 + ripple(minutes, place + 2, 1.2)),
    'AC/Frequency': Math.round((50 + ripple(minutes, 0, 0.02)) * 100) / 100,
    'Temp/Heatsink': round(ROOM_C + RISE_K * share * warm + drift + ripple(minutes, place, 0.4)),
    'DC/InsulationResistance': Math.round(1_400 + ripple(minutes, place, 60)),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
