import type { State } from '@sonnenwarte/contract/status';

/** Numbers by state, as lists and the overview show them; `abnormal` is alarm and fault together. */
export function toCounts(rows: readonly { state: State; count: number }[]) {
  const of = (state: State): number => rows.reduce((sum, row) => (row.state === state ? sum + row.count : sum), 0);
  const [normal, alarm, fault, offline] = [of('normal'), of('alarm'), of('fault'), of('offline')];
  return { total: normal + alarm + fault + offline, normal, abnormal: alarm + fault, alarm, fault, offline };
}
