/** Why a plant gave less than the sun offered. */
export const reasonKinds = [
  /** Nothing was heard: what it gave is not known. */
  'offline',
  /** An alarm stands that explains it. */
  'alarm',
  /** An inverter was heard, gave nothing in daylight and told no alarm. */
  'standstill',
  /** One string gives less than its neighbours in the same plant, or nothing. */
  'string-weak',
  /** The arrays offer more than the inverter is rated for. */
  'clipping',
  /** Feeding in is limited. */
  'export-limit',
  /** Feeding in is limited and the battery takes no more. */
  'battery-full',
  'snow',
  /** Less at the same hours of clear days. */
  'shade',
  /** Slowly less over weeks, at all hours. */
  'soiling',
  /** The meter at the grid, or a power, cannot be right: costs no energy, but figures and control. */
  'meter-wrong',
] as const;

export type ReasonKind = (typeof reasonKinds)[number];

/** Reasons that are not a fault: the plant is built or set so. */
export const byDesign: ReadonlySet<ReasonKind> = new Set(['clipping', 'export-limit', 'battery-full']);

/** Numbers and names on which a reason rests: what a screen shows as evidence. */
export interface EvidenceOf {
  offline: { silentHours: number; expectedWh: number | null; hadAlarm: boolean };
  alarm: { code: number; level: number; device: string; hours: number };
  standstill: { device: string; hours: number };
  'string-weak': {
    device: string;
    string: string;
    /** Its energy against what it would be as its peers have it, 0-1. */
    share: number;
    /** `peers` = against the other strings today, `past` = against its own usual part. */
    against: 'peers' | 'past';
    /** Code of the alarm that says so too. */
    alarm: number | null;
  };
  clipping: { hours: number; ratedAcW: number };
  'export-limit': { hours: number; limitW: number };
  'battery-full': { hours: number; limitW: number; socPercent: number };
  snow: {
    /** Actual over expected energy of the covered hours. */
    share: number;
    ambientC: number | null;
    /** Whole days before this one that were under snow too. */
    daysBefore: number;
  };
  shade: {
    /** Hours of the day by the sun (12 = the sun is highest), first and last. */
    fromSolarHour: number;
    toSolarHour: number;
    /** Actual over expected in these hours on clear days, against the other hours. */
    share: number;
    clearDays: number;
  };
  soiling: {
    /** Level of the last week against the clean one, 0-1. */
    share: number;
    perDay: number;
    days: number;
  };
  'meter-wrong': {
    /** Hours without sun and without battery in which it told export. */
    hours: number;
    alarm: number | null;
    /** Where it is a power of PV that cannot be: what it comes to and what was counted meanwhile, Wh; `hours` are those left out. */
    counted?: { toldWh: number; countedWh: number } | undefined;
  };
}

export interface Span {
  fromMs: number;
  untilMs: number;
}

interface ReasonBase {
  /** Energy it cost, Wh, >= 0; null = not known (what an offline plant gave). */
  lossWh: number | null;
  spans: Span[];
  /** How sure it is, 0-1: 0.9 where a device says it or it is measured on one plant alone, less where it is inferred. */
  confidence: number;
}

/** A reason with its evidence. Plain data. */
export type Reason = {
  [Kind in ReasonKind]: ReasonBase & { kind: Kind; evidence: EvidenceOf[Kind] };
}[ReasonKind];

/** What was looked at when a reason was ruled out. */
export type RuledOutMeasure =
  /** Part of the day's light that was not heard. */
  | 'silent-share'
  /** Alarms that cost power, count. */
  | 'alarms'
  | 'standstill-hours'
  /** Weakest string against its peers. */
  | 'string-share'
  /** Part of the potential above the rating. */
  | 'clipped-share'
  /** Part of the expected energy held back at the limit. */
  | 'limited-share'
  /** Highest state of charge while feeding in at the limit, %. */
  | 'soc'
  /** Actual over expected energy. */
  | 'covered-share'
  /** Weakest hour of clear days against the others. */
  | 'hour-share'
  /** Last week against the clean level. */
  | 'trend'
  | 'night-export-hours';

/** A reason that was looked at and does not hold: the value that spoke against it and the bound that it did not reach. */
export interface RuledOut {
  kind: ReasonKind;
  measure: RuledOutMeasure;
  value: number;
  bound: number;
}

/** Data that lack, for which something is not known. */
export const missingKinds = [
  /** The plant's position or size. */
  'place',
  'size',
  /** Neither a sensor nor five neighbours. */
  'reference',
  /** Power of PV for most of the day. */
  'power',
  /** Too few days of the plant's own past. */
  'history',
  /** Powers of two or more strings. */
  'strings',
  /** Power at the grid. */
  'grid',
  'state-of-charge',
  'export-limit',
  /** Ratings of the inverters. */
  'rating',
  /** Counters of the whole day: what was given is of power. */
  'counters',
] as const;

export type MissingKind = (typeof missingKinds)[number];
