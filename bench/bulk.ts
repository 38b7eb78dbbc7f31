import { setTimeout as delay } from 'node:timers/promises';
import { undo } from '@sonnenwarte/contract/deletions/deletions';
import { deletionPreview, remove } from '@sonnenwarte/contract/organisations/organisations';
import { siteFields } from '@sonnenwarte/contract/sites/site';
import { exportList as exportSites, list } from '@sonnenwarte/contract/sites/sites';
import { sql } from 'kysely';
import { benchmark } from './support/benchmark.ts';
import { exportedBytes } from './support/callers.ts';
import { makeDevices, makeLatest, makePlants } from './support/fleet.ts';
import { type BenchPortal, openPortal } from './support/portal.ts';
import { shown } from './support/quantiles.ts';
import { setting } from './support/settings.ts';

const exportedFields = Object.keys(siteFields);

const plants = setting('BENCH_BULK_PLANTS', 20_000, 200);
/** So long nothing is asked of the portal, to tell what it does by itself. */
const QUIET_MS = 10_000;
const LONGEST_PURGE_MS = 300_000;

interface Span {
  seconds: number;
  stallMs: number;
}

/** How long some work takes, and how long the server's loop stands still at most meanwhile. */
async function watched(portal: BenchPortal, work: () => Promise<unknown>): Promise<Span> {
  await portal.longestStallMs();
  const startedMs = performance.now();
  await work();
  return { seconds: (performance.now() - startedMs) / 1_000, stallMs: await portal.longestStallMs() };
}

/** The organisation of the plants, deleted with all of them. */
async function deleteAll(portal: BenchPortal, id: string): Promise<string> {
  const { sites, endUsers, movedSites } = await portal.call(deletionPreview, { id });
  if (sites !== plants) throw new Error(`${sites} of ${plants} plants would be deleted`);
  return (await portal.call(remove, { id, expected: { sites, endUsers, movedSites } })).deletionID;
}

async function purge({ db }: BenchPortal, deletionID: string): Promise<void> {
  const dueNow = { undo_until: new Date(0) };
  await db.updateTable('deletions').set(dueNow).where('id', '=', deletionID).execute();
  const run = () => sql`select graphile_worker.add_job('deletions.purge', '{}'::json)`.execute(db);
  const until = async (column: 'cut_off_at' | 'purged_at') => {
    const endMs = performance.now() + LONGEST_PURGE_MS;
    const isDone = () =>
      db.selectFrom('deletions').select(column).where('id', '=', deletionID).executeTakeFirstOrThrow();
    while ((await isDone())[column] === null) {
      if (performance.now() > endMs) throw new Error('the purge did not come to its end');
      await delay(50);
    }
  };
  await run();
  await until('cut_off_at');
  await db
    .updateTable('deletions')
    .set({ cut_off_at: new Date(0) })
    .where('id', '=', deletionID)
    .execute();
  await run();
  await until('purged_at');
}

await benchmark('bulk', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  bench.say(`making ${plants} plants`);
  await makePlants(portal.db, 1, plants);
  await makeLatest(portal.db, 1, plants);
  await makeDevices(portal.db, { first: 1, count: plants }, 1, ['AC/ActivePower']);
  const { organisation_id } = await portal.db.selectFrom('sites').select('organisation_id').executeTakeFirstOrThrow();
  await delay(QUIET_MS);
  const quiet = await watched(portal, () => delay(QUIET_MS));
  bench.tell('bulk.quiet.stall', quiet.stallMs, `${plants} plants that nobody looks at, ${QUIET_MS / 1_000} s`);

  const token = await portal.session();
  for (const format of ['csv', 'xlsx'] as const) {
    let bytes = 0;
    const { seconds, stallMs } = await watched(portal, async () => {
      bytes = await exportedBytes(portal.url, exportSites, { format, columns: exportedFields }, token);
    });
    bench.tell(
      `bulk.export.${format}`,
      seconds,
      `${plants} rows of ${exportedFields.length} columns, ${shown(bytes / 1024)} KiB`,
    );
    bench.tell(`bulk.export.${format}.stall`, stallMs);
  }

  let deletionID = '';
  const step = async (name: 'delete' | 'undo' | 'purge', work: () => Promise<unknown>) => {
    const { seconds, stallMs } = await watched(portal, work);
    bench.tell(`bulk.${name}`, seconds);
    bench.tell(`bulk.${name}.stall`, stallMs);
  };
  const deletion = async () => {
    deletionID = await deleteAll(portal, organisation_id);
  };
  await step('delete', deletion);
  await step('undo', () => portal.call(undo, { id: deletionID }));
  const { total } = await portal.call(list, {});
  if (total !== plants) throw new Error(`${total} of ${plants} plants are back`);
  await deletion();
  await step('purge', () => purge(portal, deletionID));
});
