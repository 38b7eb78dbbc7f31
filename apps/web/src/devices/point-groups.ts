import type { LatestValue } from '@sonnenwarte/contract/devices/device';

export const groupNames = ['pv', 'ac', 'grid', 'battery', 'energy', 'temperature', 'state', 'other'] as const;
export type GroupName = (typeof groupNames)[number];

const groupOfArea: Readonly<Record<string, GroupName>> = {
  dc: 'pv',
  pv: 'pv',
  ac: 'ac',
  grid: 'grid',
  meter: 'grid',
  load: 'grid',
  eps: 'grid',
  extgen: 'grid',
  battery: 'battery',
  bat: 'battery',
  bms: 'battery',
  energy: 'energy',
  temp: 'temperature',
  fan: 'temperature',
  state: 'state',
  status: 'state',
  gw: 'state',
  ems: 'state',
};

/** The group of a point by the first part of its name (`DC/Mppt1/Voltage`). */
export const groupOf = (variable: string): GroupName =>
  groupOfArea[(variable.split('/')[0] ?? '').toLowerCase()] ?? 'other';

/** Values by group, in the groups' order and within in their own, which is that of their meaning. */
export function grouped(values: readonly LatestValue[]): { name: GroupName; values: LatestValue[] }[] {
  return groupNames.flatMap((name) => {
    const own = values.filter((value) => groupOf(value.variable) === name);
    return own.length === 0 ? [] : [{ name, values: own }];
  });
}

const lowerFirst = (part: string): string =>
  part === part.toUpperCase() ? part.toLowerCase() : part.charAt(0).toLowerCase() + part.slice(1);

const camelCase = (name: string): string =>
  name
    .split('/')
    .map((part, index) => (index === 0 ? lowerFirst(part) : part))
    .join('');

export interface PhraseCandidate {
  readonly key: string;
  readonly n: string;
}

/**
 * Phrase keys that may name a point, the exact one first: `AC/L12/Voltage` is `acL12Voltage`; `AC/L2/Voltage` is the
 * second of the numbered `acLVoltage`.
 */
export function phraseCandidates(variable: string): PhraseCandidate[] {
  const [, n] = /[A-Za-z](\d+)(?=\/|$)/.exec(variable) ?? [];
  const exact = { key: camelCase(variable), n: '' };
  return n === undefined ? [exact] : [exact, { key: camelCase(variable.replace(/([A-Za-z])\d+(?=\/|$)/, '$1')), n }];
}
