import type { PreviewRow } from '@sonnenwarte/contract/remote-settings/group-remote';

/** What will happen to a device: it is written, waits until it is there, stays as it is, or cannot take the values. */
export type Fate = 'written' | 'waits' | 'same' | 'impossible';

export const fates = ['written', 'waits', 'same', 'impossible'] as const satisfies readonly Fate[];

export function fateOf({ obstacle, online }: Pick<PreviewRow, 'obstacle' | 'online'>): {
  fate: Fate;
  isWritten: boolean;
} {
  if (obstacle?.why === 'sameValue') return { fate: 'same', isWritten: false };
  if (obstacle !== null) return { fate: 'impossible', isWritten: false };
  return { fate: online ? 'written' : 'waits', isWritten: true };
}

interface Cost {
  /** Devices of which it is known. */
  readonly known: number;
  readonly wh: number;
  /** By currency; amounts of several do not add up. */
  readonly money: ReadonlyMap<string, number>;
  /** The device that loses most, where that is more than its share. */
  readonly worst: PreviewRow | undefined;
}

/** What writing to these devices costs a day, and which of them costs most. */
export function costOf(rows: readonly PreviewRow[]): Cost {
  const told = rows.filter(({ costWhPerDay }) => costWhPerDay !== null);
  const money = new Map<string, number>();
  for (const { costPerDay, currency } of told) {
    if (costPerDay !== null) money.set(currency, (money.get(currency) ?? 0) + costPerDay);
  }
  const wh = told.reduce((sum, { costWhPerDay }) => sum + (costWhPerDay ?? 0), 0);
  const [first] = told.toSorted((left, right) => (right.costWhPerDay ?? 0) - (left.costWhPerDay ?? 0));
  const isWorst = first !== undefined && (first.costWhPerDay ?? 0) > Math.max(0, wh / told.length);
  return { known: told.length, wh, money, worst: isWorst ? first : undefined };
}
