import type { Command, CommandState } from '@sonnenwarte/contract/commands/command';
import { list } from '@sonnenwarte/contract/commands/commands';
import type { SettingChange } from '@sonnenwarte/contract/remote-settings/setting';
import { useQuery } from '@tanstack/react-query';
import { read } from '../client/queries.ts';

const failed: readonly CommandState[] = ['refused', 'differs', 'timedOut', 'expired'];

export type HistoryEntry =
  | { readonly change: SettingChange; readonly order?: never }
  | { readonly order: Command; readonly change?: never };

const orderMs = ({ doneMs, createdMs }: Command): number => doneMs ?? createdMs;
const entryMs = ({ change, order }: HistoryEntry): number => (change ? change.atMs : orderMs(order));

interface Page {
  readonly changes: readonly SettingChange[];
  /** Of this page and those before it there is nothing older. */
  readonly isLast: boolean;
  /** When the last change of the page before it was; null on the first page. */
  readonly beforeMs: number | null;
}

/** Changes with what was ordered and did not come through, each order on the page whose changes are around it. The newest first. */
export function withFailed({ changes, isLast, beforeMs }: Page, orders: readonly Command[]): HistoryEntry[] {
  const oldestMs = isLast ? Number.NEGATIVE_INFINITY : (changes.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY);
  const newestMs = beforeMs ?? Number.POSITIVE_INFINITY;
  const among = orders.filter((order) => orderMs(order) >= oldestMs && orderMs(order) < newestMs);
  return [...changes.map((change) => ({ change })), ...among.map((order) => ({ order }))].sort(
    (left, right) => entryMs(right) - entryMs(left),
  );
}

/** The newest orders to write settings, or one of them, that did not come through. */
export function useFailedOrders(subjectID: string, name: string | undefined): readonly Command[] {
  const { data } = useQuery(
    read(list, { id: subjectID, condition: { states: [...failed] }, currentPage: 1, pageSize: 50 }, { quiet: true }),
  );
  return (data?.data ?? []).filter(
    ({ kind, content: { values = {} } }) => kind === 'write' && (name === undefined || Object.hasOwn(values, name)),
  );
}
