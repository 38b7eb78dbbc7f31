import { MAX_EXPORT_ROWS } from '@sonnenwarte/contract/exports';
import {
  MOST_REPORT_BYTES,
  MOST_REPORT_VALUES,
  REPORT_KEPT_DAYS,
  type ReportFailure,
} from '@sonnenwarte/contract/reports/report';
import { CallError } from '../http/call-error.ts';
import { addJob } from '../jobs/jobs.ts';
import { tellMessages } from '../messages/tell-messages.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { isTelemetryUnavailable } from '../stores/telemetry-engine.ts';
import { type AskedPart, askedReport } from './asked.ts';
import { reportingScope } from './asker.store.ts';
import { TooLargeError, writeRows } from './canonical.ts';
import type { ReportFiles } from './report-files.ts';
import { rowsOfPart, spanOf } from './report-rows.ts';
import { type BegunReport, beginNext, complete, countOpen, fail, putBack, tellProgress } from './reports.store.ts';

export const MAKE_REPORT = 'reports.make';

/** Reports that are made at the same time; others wait for their turn. */
const AT_ONCE = 1;
/** Whoever makes a report says so often that it lives; after so long without a word another begins. */
const TELL_EVERY_MS = 1_000;
const HELD_MS = 30_000;
/** A report that stops whoever makes it is not begun for ever; a store may be away for ten minutes. */
const MOST_TRIES = 15;
/** What a row of a CSV file has beside its values: plant, device, zone and times. */
const BYTES_BESIDE = 90;
const DAY_MS = 86_400_000;

type Stores = Uses<'db' | 'telemetry' | 'nowMs' | 'logger'> & { readonly files: ReportFiles };

export const keptUntil = (nowMs: number): Date => new Date(nowMs + REPORT_KEPT_DAYS * DAY_MS);

class FailedError extends Error {
  readonly failure: ReportFailure;

  constructor(failure: ReportFailure) {
    super(failure);
    this.failure = failure;
  }
}

function failureOf(error: unknown): ReportFailure {
  if (error instanceof FailedError) return error.failure;
  if (error instanceof TooLargeError) return 'tooLarge';
  // What was asked for was checked then: that nothing of it is found is what has changed.
  if (error instanceof CallError) return 'nothingVisible';
  return (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'noSpace' : 'unexpected';
}

/** Makes the report whose turn it is, if there is one and nobody makes another; then sees to it that the next follows. */
export async function makeNext(stores: Stores, ending: AbortSignal): Promise<boolean> {
  const { db, nowMs } = stores;
  if (ending.aborted) return false;
  const now = nowMs();
  const begun = await inTransaction(db, (tx) =>
    beginNext(tx, { now: new Date(now), heldUntil: new Date(now + HELD_MS), atOnce: AT_ONCE }),
  );
  if (begun === undefined) return false;
  const isPutBack = await makeBegun(stores, begun, ending);
  // One at a time, so that other work of the queue comes in between; what was put back waits for the next look.
  if (!isPutBack && (await countOpen(db)) > 0) await addJob(db, MAKE_REPORT);
  return true;
}

async function makeBegun(stores: Stores, begun: BegunReport, ending: AbortSignal): Promise<boolean> {
  const { db, nowMs, files, logger } = stores;
  try {
    if (begun.tries > MOST_TRIES) throw new FailedError('interrupted');
    const part = await files.partOf(begun);
    const made = await make(stores, begun, part, ending);
    await files.keep(part, begun);
    const now = nowMs();
    const isKept = await withMessage(db, begun, 'completed', new Date(now), (tx) =>
      complete(tx, begun, { ...made, at: new Date(now), keptUntil: keptUntil(now) }),
    );
    // Cancelled, deleted or begun by another while its last rows were written.
    if (!isKept) await files.remove([begun]);
    return false;
  } catch (error) {
    await files.remove([begun]);
    if (error instanceof StoppedError) return false;
    const isAway = isTelemetryUnavailable(error);
    if (ending.aborted || (isAway && begun.tries < MOST_TRIES)) {
      await putBack(db, begun, !ending.aborted);
      return true;
    }
    const now = nowMs();
    const failure = isAway ? 'storeAway' : failureOf(error);
    if (failure === 'unexpected') logger.error({ err: error, report: begun.id }, 'a report could not be made');
    await withMessage(db, begun, 'failed', new Date(now), (tx) =>
      fail(tx, begun, { failure, at: new Date(now), keptUntil: keptUntil(now) }),
    );
    return false;
  }
}

/** Ends a report, and tells whoever asked for it, both or neither. */
const withMessage = (
  db: Stores['db'],
  { id, accountId, name }: BegunReport,
  event: 'completed' | 'failed',
  at: Date,
  end: (tx: Stores['db']) => Promise<boolean>,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const isEnded = await end(tx);
    if (isEnded) await tellMessages(tx, [{ accountId, kind: 'report', event, at, subject: name, recordId: id }]);
    return isEnded;
  });

/** The report is not this run's any more: cancelled, deleted, or begun by another. */
class StoppedError extends Error {}

async function make(
  stores: Stores,
  begun: BegunReport,
  path: string,
  ending: AbortSignal,
): Promise<{ rows: number; bytes: number; missing: number }> {
  const { db, nowMs } = stores;
  const scope = await reportingScope(db, begun.accountId);
  if (scope === undefined) throw new FailedError('notPermitted');
  const { head, parts, missing } = await askedReport(db, scope, begun.request, 'whatIsLeft');
  const startedMs = nowMs();
  let toldMs = performance.now();

  /** Says how far it is, where it has not been said for a while. */
  async function tell(place: number, part: AskedPart, tsMs: number): Promise<void> {
    if (performance.now() - toldMs < TELL_EVERY_MS) return;
    toldMs = performance.now();
    const { startMs, endMs } = spanOf(part, begun.request);
    const share = (place + (tsMs - startMs) / Math.max(1, endMs - startMs)) / parts.length;
    const progress = Math.min(99, Math.floor(100 * share));
    if (!(await tellProgress(db, begun, progress, new Date(nowMs() + HELD_MS)))) throw new StoppedError();
  }

  async function* rows() {
    for (const [place, part] of parts.entries()) {
      await tell(place, part, spanOf(part, begun.request).startMs);
      let sheetRows = 0;
      for await (const lines of rowsOfPart(stores, part, begun.request, startedMs)) {
        sheetRows += lines.length;
        if (sheetRows > MAX_EXPORT_ROWS) throw new TooLargeError();
        const last = lines.at(-1);
        if (last !== undefined) await tell(place, part, last.tsMs);
        yield { part: place, lines };
      }
    }
  }
  const most = { values: MOST_REPORT_VALUES, bytes: MOST_REPORT_BYTES };
  const written = await writeRows(path, head, rows(), most, ending);
  return { rows: written.rows, bytes: written.characters + written.rows * BYTES_BESIDE, missing };
}
