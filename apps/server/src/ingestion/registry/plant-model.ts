import type { DeviceKind } from '@sonnenwarte/device-protocol/points/points';
import type { ChannelReach } from '@sonnenwarte/energy/accounting/channel-reach';
import type { EnergyChannel } from '@sonnenwarte/energy/accounting/channels';
import type { Correction } from '@sonnenwarte/energy/accounting/corrections';
import type { Tariff } from '@sonnenwarte/energy/accounting/money';
import type { SiteState } from '../../stores/schema-plants.ts';
import type { MetricBindings } from '../sessions/bindings.ts';
import { type KindLayout, layout } from '../sessions/kinds.ts';
import type { RefusalReason } from '../sessions/reasons.ts';

/** Behind one logger. */
export const MOST_DEVICES = 250;

const NO_TARIFF: Tariff = {
  fromMs: Number.NEGATIVE_INFINITY,
  feedInPricePerKwh: null,
  purchasePricePerKwh: null,
  currency: '',
};

/** Sites, loggers and devices as ingestion holds them in memory while they are connected. Postgres is where they live. */
export class SiteEntry {
  readonly id: string;
  readonly key: number;
  zone: string;
  /** The zone as it was entered; `zone` is UTC where nobody knows that one. */
  enteredZone = '';
  /** Ascending; the first holds from the beginning. */
  tariffs: readonly Tariff[] = [NO_TARIFF];
  /** Changes of the prices that are in `tariffs`. */
  priceChanges = 0;
  ratedPowerW: number | undefined;
  /** The local day of its written figures. */
  figuresDay: string | undefined;
  /** When something asked for it last. */
  askedMs = 0;
  readonly devices = new Set<DeviceEntry>();
  readonly dataloggers = new Set<DataloggerEntry>();

  constructor(id: string, key: number, zone: string) {
    this.id = id;
    this.key = key;
    this.zone = zone;
  }
}

/** Of what a logger's devices keep in memory, that which grows with what it sends. */
export interface Held {
  names: number;
  texts: number;
}

export interface DataloggerProperties {
  model?: string;
  type?: string;
  firmware?: string;
  hardware?: string;
  profile?: string;
  timeZone?: string;
  ip?: string;
  rssiDbm?: number;
  uplink?: 'tls' | 'plain';
}

export class DataloggerEntry {
  readonly id: string;
  readonly key: number;
  readonly sn: string;
  site: SiteEntry | undefined;
  isQuarantined = false;
  reportIntervalS = 60;
  properties: DataloggerProperties = {};
  readonly devices = new Map<string, DeviceEntry>();
  /** The logger's own points. */
  readonly self: DeviceEntry;

  group = '';
  online = false;
  /** Whether it speaks through the JSON on-ramp; it then has no births. */
  isJson = false;
  bornMs = 0;
  /** When its session began; a birth that was asked for begins none. */
  sessionMs = 0;
  lastSeenMs = 0;
  /** When its session ended last. */
  offlineMs = 0;
  /** When something asked for it last, e.g. because it connects. */
  askedMs = 0;
  /** Connection of the newest birth. */
  connection = 0;
  bdSeq: number | undefined;
  rebirthAskedMs = 0;
  rebirthTimer: NodeJS.Timeout | undefined;
  clockAskedMs = 0;
  /** Since when its times are far beside ours; null where they are not, undefined as long as it has told none. */
  clockWrongSinceMs: number | null | undefined;
  /** When a refusal was logged last, by its reason. */
  readonly loggedMs = new Map<RefusalReason, number>();
  /** Names of metrics that its devices keep, and texts among their newest values. */
  readonly held: Held = { names: 0, texts: 0 };
  /** Historical samples that wait for storage, and when the last ones were stored. */
  waitingHistory = 0;
  historyStoredMs = 0;
  /** Time of the last message before a hole in the sequence. */
  holeFromMs = 0;

  constructor(id: string, key: number, sn: string) {
    this.id = id;
    this.key = key;
    this.sn = sn;
    this.self = new DeviceEntry(sn, 'logger', this);
    this.self.key = key;
    this.self.id = id;
  }
}

export interface DeviceProperties {
  model?: string;
  role?: string;
  odmSn?: string;
  ratedPowerW?: number;
  capacityWh?: number;
  versionMaster?: string;
  versionSlave?: string;
  versionManager?: string;
  versionAfci?: string;
  hardware?: string;
}

/** What the counters of a device read where their series begin, by channel. */
export type Opening = { [channel in EnergyChannel]?: readonly [tsMs: number, wh: number] };

/** A joint of a counter at which something was left out that would count if the channel carried more than was known. */
export interface Doubt {
  tsMs: number;
  channel: EnergyChannel;
  neededW: number;
}

/** Of one device; the oldest give way. */
export const MOST_DOUBTS = 32;

export interface StandingAlarm {
  id: string | undefined;
  code: number;
  level: number;
  sinceMs: number;
  extra: string;
  /** When it was last missing from the device's list; 0 while it stands. */
  goneMs: number;
}

/** Of most devices nothing has been corrected. */
export const NO_CORRECTIONS: readonly Correction[] = [];

export class DeviceEntry {
  id = '';
  /** 0 until Postgres has given one. */
  key = 0;
  sn: string;
  /** The serial number by which its logger names it, where another's device has that one. */
  toldSn: string | undefined;
  /** Another logger's device has its number, and nobody has decided for this one: it is in no plant. */
  isClaim = false;
  /** Its plant is deleted: it may come back with it. */
  isOfLostPlant = false;
  /** It was on a rack of the factory and is in no run any more: in no plant, it gives its number to whoever names it next. */
  isBurntIn = false;
  kind: DeviceKind;
  /** Nobody told the kind, and nothing of it is stored: the first that tells it, decides. */
  isKindGuessed = false;
  /** Its last birth told another kind: what follows it by alias is of that kind. */
  isOfOtherKind = false;
  layout: KindLayout;
  datalogger: DataloggerEntry;
  site: SiteEntry | undefined;
  role = '';
  properties: DeviceProperties = {};
  /** Why nothing of it is taken. */
  refusedFor: RefusalReason | undefined;

  online = false;
  /** What its birth has told of commands: it answers ours, or knows none and only tells what it has. Undefined before a birth. */
  speaks: 'commands' | 'plain' | undefined;
  state: SiteState = 'offline';
  lastSeenMs = 0;
  bindings: MetricBindings | undefined;
  readonly alarms = new Map<number, StandingAlarm>();

  /** Newest stored time; NaN while it is not known. */
  newestTsMs = Number.NaN;
  /** Between these times, both excluded, nothing is stored: where a backlog comes in order, nobody need look for rows. */
  emptyFromMs = 0;
  emptyToMs = 0;
  /** Reading at which the series of each lifetime counter begins, Wh. */
  opening: Opening = {};
  /** When each of them was first read, also if that reading was nonsense. */
  firstReadMs: { [channel in EnergyChannel]?: number } = {};
  reach: ChannelReach | undefined;
  doubts: readonly Doubt[] = [];
  /** What people have said of its energy. */
  corrections: readonly Correction[] = NO_CORRECTIONS;
  /** Current values by index of the layout, each with its time. */
  latestValues: number[] | undefined;
  latestTsMs: number[] | undefined;
  latestTexts: Map<string, [value: string, tsMs: number]> | undefined;
  latestMs = 0;
  latestReceivedMs = 0;
  /** Last time under which a sample was put whose own cannot be. */
  placedMs = 0;
  /** Newest time that has been written to Postgres. */
  latestWrittenMs = 0;
  /** undefined: not looked at since the process began; null: not known. */
  todayWh: number | null | undefined;
  /** How it came about (see `markOf`). */
  todayMarks = 0;
  /** End of the local day before which its energies of yesterday, the month and the year are written. */
  energiesUntilMs = 0;

  constructor(sn: string, kind: DeviceKind, datalogger: DataloggerEntry) {
    this.sn = sn;
    this.kind = kind;
    this.datalogger = datalogger;
    this.layout = layout(kind);
  }

  /**
   * Whether a message that tells this kind may speak for the device: a known one keeps its kind, or what is stored would no
   * longer be found; a guess gives way.
   */
  accepts(told: DeviceKind): boolean {
    if (told !== this.kind) {
      if (!this.isKindGuessed) return false;
      this.kind = told;
      this.layout = layout(told);
      this.bindings?.release();
      this.bindings = undefined;
      this.latestValues = undefined;
      this.latestTsMs = undefined;
      this.newestTsMs = Number.NaN;
      this.emptyFromMs = 0;
      this.emptyToMs = 0;
    }
    this.isKindGuessed = false;
    return true;
  }

  /** The serial number by which its logger names it. */
  get calledSn(): string {
    return this.toldSn ?? this.sn;
  }

  get isRefused(): boolean {
    return this.refusedFor !== undefined;
  }

  get isDatalogger(): boolean {
    return this.kind === 'logger';
  }

  latest(name: string): number | undefined {
    const index = this.layout.indexOf.get(name);
    const value = index === undefined ? undefined : this.latestValues?.[index];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }
}
