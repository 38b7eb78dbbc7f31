import { partsOf } from '../in-slices.ts';
import type { Uses } from '../services.ts';
import type { ReportFiles } from './report-files.ts';
import { forgetReports, lastRuns } from './reports.store.ts';

const AT_ONCE = 500;

/** Takes away reports whose time is over, with their files, and files that are no report's. */
export async function forgetOld(
  { db, nowMs, files }: Uses<'db' | 'nowMs'> & { readonly files: ReportFiles },
  ending: AbortSignal,
): Promise<void> {
  for (let removed = AT_ONCE; removed === AT_ONCE && !ending.aborted; ) {
    const over = await forgetReports(db, new Date(nowMs()), AT_ONCE);
    await files.remove(over);
    removed = over.length;
  }
  for (const some of partsOf(await files.lying(), AT_ONCE)) {
    if (ending.aborted) return;
    const runs = await lastRuns(
      db,
      some.map(({ id }) => id),
    );
    // The run that began last may still write.
    await files.remove(some.filter(({ id, run }) => runs.get(id) !== run));
  }
}
