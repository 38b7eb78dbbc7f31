import type { list as call, IncidentRow } from '@sonnenwarte/contract/incidents/incidents';
import { useState } from 'react';
import type { List } from '../blocks/list/use-list.ts';
import { heldRows } from './held-rows.ts';

type Asked = List<typeof call>;

interface Kept {
  readonly question: string;
  /** The answer that was looked at last. */
  readonly answer: readonly IncidentRow[];
  readonly rows: readonly IncidentRow[];
  readonly total: number;
  readonly newest: number | undefined;
  /** New incidents that are not shown yet; `null` where it is not known how many. */
  readonly waiting: number | null;
  /** Some of them belong on this page. */
  readonly isOnPage: boolean;
}

interface HeldList {
  readonly list: Asked;
  readonly waiting: number | null;
  readonly showNew: () => void;
}

/** The list as it stays while somebody reads its first page: rows are told anew in their places, new incidents wait until they are asked for. */
export function useHeldList(list: Asked, newest: number | undefined): HeldList {
  const [kept, setKept] = useState<Kept>();
  const { rows, total = 0 } = list;
  const { currentPage, pageSize } = list.value;
  const question = JSON.stringify(list.value);
  const isAnswered = rows !== undefined && !list.isOfBefore;
  const taken = (answer: readonly IncidentRow[]): Kept => ({
    question,
    answer,
    rows: answer,
    total,
    newest,
    waiting: 0,
    isOnPage: false,
  });

  const next = (): Kept | undefined => {
    if (!isAnswered) return kept;
    if (kept === undefined || kept.question !== question || currentPage > 1 || kept.rows.length === 0)
      return kept?.answer === rows && kept.question === question ? kept : taken(rows);
    if (kept.answer === rows) return kept.newest === undefined && newest !== undefined ? { ...kept, newest } : kept;
    const isNewer = total > kept.total || (newest ?? 0) > (kept.newest ?? newest ?? 0);
    const held = heldRows(kept.rows, rows, isNewer);
    const more = total - kept.total;
    if (!isNewer || (held.added.length === 0 && more <= 0)) return { ...taken(rows), rows: held.rows };
    const isWhole = total <= pageSize;
    const waiting = isWhole ? held.added.length : more > 0 ? more : null;
    return { ...kept, answer: rows, rows: held.rows, waiting, isOnPage: held.added.length > 0 };
  };
  const now = next();
  if (now !== kept) setKept(now);

  const isHeld = now !== undefined && now.question === question && isAnswered;
  return {
    list: isHeld ? { ...list, rows: now.rows } : list,
    waiting: isHeld ? now.waiting : 0,
    showNew: () => {
      if (rows !== undefined) setKept(taken(rows));
      // What came last costs nothing yet: where the costliest stand first it is on the last page.
      if (now?.isOnPage !== true) list.set({ sort: { field: 'sinceMs', order: 'desc' } });
    },
  };
}
