import type { AlarmCause } from '@sonnenwarte/contract/incidents/alarm-facts';

interface Found {
  readonly cause: AlarmCause;
  readonly incidents: number;
}

interface LikelyCause {
  readonly cause: AlarmCause;
  /** Of all that were found, 0 to 1; `null` where it was found in none. */
  readonly share: number | null;
}

/** What it may be: what was found most often first, then what else is known to cause it, the likeliest first. */
export function likelyCauses(known: readonly AlarmCause[], found: readonly Found[]): LikelyCause[] {
  const all = found.reduce((sum, { incidents }) => sum + incidents, 0);
  const counted = found.filter(({ incidents }) => incidents > 0).toSorted((a, b) => b.incidents - a.incidents);
  const others = known.filter((cause) => counted.every((each) => each.cause !== cause));
  return [
    ...counted.map(({ cause, incidents }) => ({ cause, share: incidents / all })),
    ...others.map((cause) => ({ cause, share: null })),
  ];
}
