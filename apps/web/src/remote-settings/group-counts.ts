import type { GroupRow } from '@sonnenwarte/contract/remote-settings/group-remote';
import type { Tone } from '../blocks/show/badge.tsx';
import { resultTones } from './group-results.ts';

type Counts = GroupRow['counts'];

/** How devices of a group stand, in the words and colours of their rows; `away`: the device is not there. */
const groupParts = [
  'confirmed',
  'refused',
  'differs',
  'timedOut',
  'expired',
  'underWay',
  'away',
  'waiting',
  'cancelled',
] as const;
export type GroupPart = (typeof groupParts)[number];

export const partTones: Readonly<Record<GroupPart, Tone>> = {
  confirmed: resultTones.confirmed,
  refused: resultTones.refused,
  differs: resultTones.differs,
  timedOut: resultTones.timedOut,
  expired: resultTones.expired,
  underWay: resultTones.sent,
  away: 'warn',
  waiting: resultTones.waiting,
  cancelled: resultTones.cancelled,
};

/** How many devices there are of each part, each device once, without parts that have none. */
export function countsByPart(counts: Counts): { readonly part: GroupPart; readonly count: number }[] {
  const all: Readonly<Record<GroupPart, number>> = { ...counts, underWay: counts.underWay - counts.away };
  return groupParts.flatMap((part) => (all[part] > 0 ? [{ part, count: all[part] }] : []));
}
