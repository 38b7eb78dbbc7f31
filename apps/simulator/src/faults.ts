import { alarmByCode } from '@sonnenwarte/device-protocol/points/alarms';

export type FaultTarget = 'inverter' | 'battery' | 'meter' | 'pile' | 'logger';

interface FaultKind {
  target: FaultTarget;
  /** What happens, for the command line. */
  effect: string;
  /** Alarm code, and the time after the start at which the device tells it. */
  alarm?: { code: number; afterS: number };
  /** The alarm is told by the plant's first inverter, since the device itself is what is lost. */
  isToldByInverter?: true;
  /** Happens once at its start and has no duration. */
  isMoment?: true;
}

/** Every fault by name: physical effect and alarm. All recover alone when their time is over or they are cleared. */
export const faultKinds = {
  'grid-over-voltage': fault('inverter', 'AC voltage 256 V, output 0 until 60 s after recovery', 1001, 0.2),
  'grid-under-voltage': fault('inverter', 'AC voltage 182 V, output 0 until 60 s after recovery', 1002, 0.2),
  'grid-over-frequency': fault('inverter', 'frequency 50.9 Hz, output falls by the droop of 40 %/Hz', 1003, 0.2),
  'grid-lost': fault('inverter', 'no grid at the whole plant: batteries carry the load, PV is throttled', 1005, 0.2),
  'string-open': fault('inverter', 'one string carries no current', 2007, 600),
  'string-weak': fault('inverter', 'one string gives 58 % of its current', 2006, 1800),
  'insulation-low': fault('inverter', 'insulation resistance 42 kOhm, output 0', 2001, 1),
  'arc-fault': fault('inverter', 'arc signature, output 0 until cleared', 2003, 1),
  'fan-failure': fault('inverter', 'fan stands, heat sink warmer, derating in sunshine', 3002, 60),
  'over-temperature': fault('inverter', 'heat sink held at 78 degC, power reduced', 3003, 60),
  'internal-communication': fault('inverter', 'master and slave do not hear each other, output 0', 3005, 5),
  snow: { target: 'inverter', effect: 'modules under snow that lets 5 % of the light through' },
  soiling: { target: 'inverter', effect: 'modules get dirtier by 0.4 % of their light a day, at most by 40 %' },
  shade: { target: 'inverter', effect: 'no direct light from 13 to 17 h by the sun' },
  'counter-reset': { target: 'inverter', effect: 'lifetime counters start again from 0', isMoment: true },
  'device-replaced': {
    target: 'inverter',
    effect: 'another unit with another serial number takes the place of the old one',
  },
  'cell-imbalance': fault('battery', 'cells 240 mV apart', 4007, 60),
  'battery-cold': fault('battery', 'cells at -3 degC, charging blocked', 4005, 60),
  'bms-lost': told(fault('battery', 'battery does not answer and gives no power', 4001, 60)),
  'meter-lost': told(fault('meter', 'meter does not answer, export limited to 0', 5001, 60)),
  'meter-ct-reversed': fault('meter', 'grid power with the wrong sign', 5002, 3600),
  'pile-fault': fault('pile', 'charging stops', 5008, 5),
  'command-refused': {
    target: 'inverter',
    effect: 'refuses to write --setting (any, without it) with --code (6, without it)',
  },
  'command-slow': { target: 'inverter', effect: 'answers commands after 20 s' },
  'command-lost': { target: 'inverter', effect: 'carries commands out, but its answers are lost' },
  'command-twice': { target: 'inverter', effect: 'answers every command twice' },
  'command-reboot': { target: 'inverter', effect: 'restarts after it has carried out a command, before it answers' },
  'record-late': { target: 'inverter', effect: 'sends the parts of a fault record after 20 s' },
  'record-part-lost': { target: 'inverter', effect: 'loses a part of each fault record that is read whole' },
  'record-damaged': { target: 'inverter', effect: 'reads its fault records with one wrong bit' },
  'setting-drift': {
    target: 'inverter',
    effect: 'changes --setting (Setting/ExportLimit, without it) by itself',
    isMoment: true,
  },
  'plain-sparkplug': { target: 'logger', effect: 'knows no commands of ours: takes metrics and tells what it has' },
  'credential-refused': { target: 'logger', effect: 'refuses a new password' },
  'credential-forgotten': {
    target: 'logger',
    effect: 'says it has taken a new password, and goes on with the old one',
  },
  'credential-unanswered': { target: 'logger', effect: 'does what it is told itself, but its answers are lost' },
  'comms-drop': { target: 'logger', effect: 'connection lost; samples are kept and sent afterwards' },
  'silent-logger': { target: 'logger', effect: 'connected, but sends nothing; nothing is kept' },
  duplicates: { target: 'logger', effect: 'every message is sent twice' },
  reorder: { target: 'logger', effect: 'neighbouring messages change places' },
  'clock-skew': { target: 'logger', effect: 'all times 110 s ahead' },
  'clock-wrong': { target: 'logger', effect: 'all times 40 days ahead' },
  'weak-signal': { target: 'logger', effect: 'signal -93 dBm', alarm: { code: 5006, afterS: 3600 } },
  'garbage-payload': { target: 'logger', effect: 'every tenth message is random bytes' },
  flood: { target: 'logger', effect: 'twenty reports a second' },
  'rebirth-storm': { target: 'logger', effect: 'births again with every report' },
} satisfies Record<string, FaultKind>;

export type FaultName = keyof typeof faultKinds;

function fault(target: FaultTarget, effect: string, code: number, afterS: number): FaultKind {
  return { target, effect, alarm: { code, afterS } };
}

function told(kind: FaultKind): FaultKind {
  return { ...kind, isToldByInverter: true };
}

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faultKinds, name);
}

export function faultKind(name: FaultName): FaultKind {
  return faultKinds[name];
}

export interface Fault {
  device: string;
  name: FaultName;
  fromMs: number;
  /** Infinity until cleared. */
  untilMs: number;
  /** Of a string fault: its number from 1. */
  string: number;
  /** Of a fault of commands: the setting, and the code of the answer. */
  setting?: string | undefined;
  code?: number | undefined;
}

export interface FaultAlarm {
  device: string;
  code: number;
  level: 1 | 2 | 3 | 4;
  sinceMs: number;
  extra: string;
  isToldByInverter: boolean;
}

/** The faults of a fleet or of one plant, past, present and to come. */
export class FaultBoard {
  #faults: Fault[] = [];

  /** Switches a fault on from `fromMs` for a time; two of one name on one device replace each other. */
  inject(
    device: string,
    name: FaultName,
    fromMs: number,
    durationMs = Number.POSITIVE_INFINITY,
    string = 1,
    { setting, code }: Pick<Fault, 'setting' | 'code'> = {},
  ): void {
    this.#faults = this.#faults.filter((each) => each.device !== device || each.name !== name);
    this.#faults.push({ device, name, fromMs, untilMs: fromMs + durationMs, string, setting, code });
  }

  /** Ends faults now; without a name all of a device, without a device all. Returns how many ended. */
  clear(tsMs: number, device?: string, name?: FaultName): number {
    let ended = 0;
    for (const each of this.#faults) {
      const isMeant = (device === undefined || each.device === device) && (name === undefined || each.name === name);
      if (!isMeant || each.untilMs <= tsMs) continue;
      each.untilMs = Math.max(each.fromMs, tsMs);
      ended += 1;
    }
    return ended;
  }

  /** Forgets what ended before a time. */
  prune(tsMs: number): void {
    if (this.#faults.some((each) => each.untilMs < tsMs)) {
      this.#faults = this.#faults.filter((each) => each.untilMs >= tsMs);
    }
  }

  find(device: string, name: FaultName, tsMs: number): Fault | undefined {
    if (this.#faults.length === 0) return undefined;
    return this.#faults.find(
      (each) => each.device === device && each.name === name && tsMs >= each.fromMs && tsMs < each.untilMs,
    );
  }

  /** Whether a device has any, past or to come. */
  concerns(device: string): boolean {
    return this.#faults.some((each) => each.device === device);
  }

  has(device: string, name: FaultName, tsMs: number): boolean {
    return this.find(device, name, tsMs) !== undefined;
  }

  /** Whether a momentary fault falls into a span that ends at `toMs`. */
  happened(device: string, name: FaultName, fromMs: number, toMs: number): boolean {
    return this.#faults.some(
      (each) => each.device === device && each.name === name && each.fromMs > fromMs && each.fromMs <= toMs,
    );
  }

  active(tsMs: number): Fault[] {
    return this.#faults.filter((each) => tsMs >= each.fromMs && tsMs < each.untilMs);
  }

  /** Alarms that stand at a time. */
  alarms(tsMs: number): FaultAlarm[] {
    return this.active(tsMs).flatMap(({ device, name, fromMs, string }) => {
      const { alarm, isToldByInverter = false } = faultKind(name);
      if (alarm === undefined) return [];
      const sinceMs = fromMs + alarm.afterS * 1000;
      if (tsMs < sinceMs) return [];
      const extra = name.startsWith('string-') ? `String ${string}` : isToldByInverter ? device : '';
      const level = alarmByCode(alarm.code)?.level ?? 2;
      return [{ device, code: alarm.code, level, sinceMs: Math.round(sinceMs), extra, isToldByInverter }];
    });
  }
}
