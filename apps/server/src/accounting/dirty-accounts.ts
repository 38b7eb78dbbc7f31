import type { Account } from './account.ts';

/** What was received so long before something waited to be accounted anew may wait as well. */
const MARK_MARGIN_MS = 30_000;
const DAY_MS = 86_400_000;

/** Accounts of which some time is to be accounted anew. */
export class DirtyAccounts extends Set<Account> {
  get days(): number {
    let days = 0;
    for (const account of this) days += account.dirty.size;
    return days;
  }

  /** Receipt time from which on something may wait here. */
  get sinceMs(): number | undefined {
    let oldest: number | undefined;
    for (const account of this)
      if (account.dirtySinceMs < (oldest ?? Number.POSITIVE_INFINITY)) oldest = account.dirtySinceMs;
    return oldest === undefined ? undefined : oldest - MARK_MARGIN_MS;
  }

  mark(account: Account, tsMs: number, historical: boolean): void {
    account.isNew = false;
    const day = Math.floor(tsMs / DAY_MS);
    const range = account.dirty.get(day);
    if (range === undefined) account.dirty.set(day, [tsMs, tsMs]);
    else {
      range[0] = Math.min(range[0], tsMs);
      range[1] = Math.max(range[1], tsMs);
    }
    const nowMs = Date.now();
    if (!this.has(account)) {
      this.add(account);
      account.dirtySinceMs = nowMs;
      account.isHistory = false;
    }
    account.dirtyLastMs = nowMs;
    account.isHistory ||= historical;
  }

  /** Marks all of a stretch, both ends included. */
  markSpan(account: Account, { fromMs, toMs }: { fromMs: number; toMs: number }, historical: boolean): void {
    this.mark(account, fromMs, historical);
    for (let dayMs = (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS; dayMs <= toMs; dayMs += DAY_MS)
      for (const tsMs of [dayMs, Math.min(toMs, dayMs + DAY_MS - 1)]) this.mark(account, tsMs, historical);
  }
}
