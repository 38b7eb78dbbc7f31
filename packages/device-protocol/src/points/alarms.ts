import { DataType } from '../sparkplug/datatypes.ts';
import type { DataSet } from '../sparkplug/sparkplug-payload.ts';

/** 1 notice, 2 warning, 3 fault (production affected), 4 critical (safety). */
export type AlarmLevel = 1 | 2 | 3 | 4;

/** One entry of the alarm catalogue. The texts for people are phrases by code. */
export interface Alarm {
  code: number;
  level: AlarmLevel;
  name: string;
}

/** The alarm catalogue. */
export const alarms: readonly Alarm[] = [
  { code: 1001, level: 3, name: 'Grid over-voltage' },
  { code: 1002, level: 3, name: 'Grid under-voltage' },
  { code: 1003, level: 3, name: 'Grid over-frequency' },
  { code: 1004, level: 3, name: 'Grid under-frequency' },
  { code: 1005, level: 3, name: 'Grid lost' },
  { code: 1006, level: 4, name: 'Islanding detected' },
  { code: 1007, level: 2, name: 'Grid phase imbalance / sequence' },
  { code: 1008, level: 3, name: 'DC injection high' },
  { code: 1009, level: 3, name: '10-minute mean over-voltage' },
  { code: 1010, level: 3, name: 'Rate of change of frequency' },
  { code: 1011, level: 4, name: 'Neutral / earth lost' },
  { code: 2001, level: 4, name: 'Insulation resistance low' },
  { code: 2002, level: 4, name: 'Residual current (GFCI) high' },
  { code: 2003, level: 4, name: 'Arc fault (AFCI)' },
  { code: 2004, level: 4, name: 'DC over-voltage' },
  { code: 2005, level: 4, name: 'String reversed' },
  { code: 2006, level: 2, name: 'String current low' },
  { code: 2007, level: 3, name: 'String open' },
  { code: 2008, level: 3, name: 'String back-feed' },
  { code: 2009, level: 3, name: 'DC bus over/under-voltage' },
  { code: 2010, level: 2, name: 'SPD failure DC' },
  { code: 2011, level: 2, name: 'SPD failure AC' },
  { code: 3001, level: 3, name: 'Over-temperature' },
  { code: 3002, level: 2, name: 'Fan failure' },
  { code: 3003, level: 1, name: 'Derating by temperature' },
  { code: 3004, level: 4, name: 'Relay check failed' },
  { code: 3005, level: 3, name: 'Internal communication lost' },
  { code: 3006, level: 3, name: 'EEPROM / memory' },
  { code: 3007, level: 4, name: 'Hardware over-current' },
  { code: 3008, level: 3, name: 'Overload on backup output' },
  { code: 3009, level: 2, name: 'Firmware mismatch' },
  { code: 4001, level: 3, name: 'BMS communication lost' },
  { code: 4002, level: 4, name: 'Cell over-voltage' },
  { code: 4003, level: 3, name: 'Cell under-voltage' },
  { code: 4004, level: 4, name: 'Battery over-temperature' },
  { code: 4005, level: 2, name: 'Battery under-temperature' },
  { code: 4006, level: 3, name: 'Battery over-current' },
  { code: 4007, level: 2, name: 'Cell imbalance' },
  { code: 4008, level: 4, name: 'Battery reversed / relay fault' },
  { code: 4009, level: 4, name: 'Battery insulation' },
  { code: 4010, level: 1, name: 'SoC low' },
  { code: 4011, level: 2, name: 'SoH low' },
  { code: 5001, level: 3, name: 'Meter lost' },
  { code: 5002, level: 2, name: 'Meter CT reversed' },
  { code: 5003, level: 2, name: 'Logger offline' },
  { code: 5004, level: 2, name: 'Device offline' },
  { code: 5005, level: 1, name: 'Clock wrong' },
  { code: 5006, level: 1, name: 'Weak signal' },
  { code: 5007, level: 1, name: 'Ripple control / remote stop active' },
  { code: 5008, level: 3, name: 'Charging pile fault' },
  { code: 6001, level: 2, name: 'Upgrade failed' },
  { code: 6002, level: 2, name: 'Rolled back' },
];

/** What the portal finds itself, beyond the codes that devices tell. */
export const portalAlarms: readonly Alarm[] = [
  { code: 7001, level: 2, name: 'Yield below neighbours' },
  { code: 7002, level: 1, name: 'Counter repaired' },
  { code: 7003, level: 2, name: 'Setting differs' },
];

const byCode: ReadonlyMap<number, Alarm> = new Map([...alarms, ...portalAlarms].map((alarm) => [alarm.code, alarm]));

/** The catalogue's entry, undefined for a code that it does not know. */
export function alarmByCode(code: number): Alarm | undefined {
  return byCode.get(code);
}

/** Codes beyond the catalogue are kept, as far as they fit a 32-bit register. */
export function isAlarmCode(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2_147_483_647;
}

/** Name of the metric that holds all active alarms of a device. */
export const ALARM_ACTIVE = 'Alarm/Active';
/** Name of the transient metric for an event shorter than a report. */
export const ALARM_EVENT = 'Alarm/Event';

/** How a device with alarms of these levels stands: levels 3 and 4 are a fault, 2 is an alarm, else normal. */
export function statusOfAlarms(levels: Iterable<number>): 'normal' | 'alarm' | 'fault' {
  let highest = 0;
  for (const level of levels) highest = Math.max(highest, level);
  if (highest >= 3) return 'fault';
  return highest === 2 ? 'alarm' : 'normal';
}

/** An alarm that stands. `sinceMs` epoch milliseconds, `extra` free text of the device. */
export interface ActiveAlarm {
  code: number;
  level: AlarmLevel;
  sinceMs: number;
  extra: string;
}

/** The value of {@link ALARM_ACTIVE}. */
export function alarmsToDataSet(list: readonly ActiveAlarm[]): DataSet {
  return {
    columns: ['code', 'level', 'since', 'extra'],
    types: [DataType.Int32, DataType.Int32, DataType.DateTime, DataType.String],
    rows: list.map(({ code, level, sinceMs, extra }) => [code, level, sinceMs, extra]),
  };
}

/**
 * Reads {@link ALARM_ACTIVE}, its columns in any order; a level that is missing comes from the catalogue, else 2. Rows without a
 * code that may be one are left out: the answer is shorter than the set by as many.
 */
export function alarmsFromDataSet(set: DataSet): ActiveAlarm[] {
  const code = set.columns.indexOf('code');
  const level = set.columns.indexOf('level');
  const since = set.columns.indexOf('since');
  const extra = set.columns.indexOf('extra');
  const list: ActiveAlarm[] = [];
  for (const row of set.rows) {
    const number = row[code];
    if (!isAlarmCode(number)) continue;
    const sent = row[level];
    const start = row[since];
    const text = row[extra];
    list.push({
      code: number,
      level: isLevel(sent) ? sent : (alarmByCode(number)?.level ?? 2),
      sinceMs: typeof start === 'number' ? start : 0,
      extra: typeof text === 'string' ? text : '',
    });
  }
  return list;
}

/** What a bit of SunSpec `Evt1` or `Alrm` means here; `code` undefined for states that have no code of ours and are notices. */
export interface SunspecEvent {
  bit: number;
  name: string;
  level: AlarmLevel;
  code?: number;
}

const sunspecBits: readonly [bit: number, name: string, code?: number][] = [
  [0, 'GROUND_FAULT', 2002],
  [1, 'DC_OVER_VOLT', 2004],
  [2, 'AC_DISCONNECT', 1005],
  [3, 'DC_DISCONNECT'],
  [4, 'GRID_DISCONNECT', 1005],
  [5, 'CABINET_OPEN'],
  [6, 'MANUAL_SHUTDOWN'],
  [7, 'OVER_TEMP', 3001],
  [8, 'OVER_FREQUENCY', 1003],
  [9, 'UNDER_FREQUENCY', 1004],
  [10, 'AC_OVER_VOLT', 1001],
  [11, 'AC_UNDER_VOLT', 1002],
  [12, 'BLOWN_STRING_FUSE', 2007],
  [13, 'UNDER_TEMP'],
  [14, 'MEMORY_LOSS', 3006],
  [15, 'HW_TEST_FAILURE', 3004],
];

/** The events whose bits are set in SunSpec `Evt1` or `Alrm` (bits 0-15; the others are reserved). */
export function sunspecEvents(bits: number): SunspecEvent[] {
  const events: SunspecEvent[] = [];
  for (const [bit, name, code] of sunspecBits) {
    if (((bits >>> bit) & 1) === 0) continue;
    events.push(
      code === undefined ? { bit, name, level: 1 } : { bit, name, level: alarmByCode(code)?.level ?? 1, code },
    );
  }
  return events;
}

function isLevel(value: unknown): value is AlarmLevel {
  return value === 1 || value === 2 || value === 3 || value === 4;
}
