import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import type { Envelope } from '@sonnenwarte/contract/envelope';
import { factoryEndpoints as calls } from '@sonnenwarte/contract/factory/factory';
import { unitFields } from '@sonnenwarte/contract/factory/units';
import { sortFieldsOf } from '@sonnenwarte/contract/kinds';
import { sql } from 'kysely';
import { signedRequest } from '../apps/server/src/testing/portal.ts';
import { benchmark } from './support/benchmark.ts';
import { openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';
import { memoryMiB } from './support/usage.ts';

const units = setting('BENCH_UNITS', 1_000_000, 2_000);
const batches = sized(200, 4);
const rows = sized(100_000, 500);
const calledEach = sized(30, 3);
const LOOK_MS = 50;
const SLICE = 20_000;

/** Delivered units in every order and by filters, batches with their counts, and a file of serial numbers that is imported. */
await benchmark('factory', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  const { db, pid } = portal;
  const { manufacturerID } = await portal.call(calls.manufacturerAdd, { name: 'Bench works' });
  await portal.call(calls.warrantyAdd, { model: 'BX-0', months: 24, begins: 'delivery' });
  bench.say(`making ${units} units in ${batches} batches`);
  await sql`insert into device_batches (manufacturer_id, number, kind, model, delivered_on)
    select ${manufacturerID}, 'B' || n, (array['inverter', 'battery', 'meter', 'logger'])[1 + n % 4], 'BX-' || n % 10, date '2020-01-01' + n * 10
    from generate_series(0, ${batches - 1}::int) n`.execute(db);
  for (let from = 0; from < units; from += SLICE) {
    await sql`insert into delivered_units (sn, odm_sn, batch_id, model, firmware, delivered_on, seen_at)
      select 'BU' || lpad((n * 7919::bigint % 10000019)::text, 8, '0'), 'ODM' || n, b.id, b.model, '1.0', b.delivered_on + n % 7,
        case when n % 10 > 0 then b.delivered_on + interval '20 days' + n % 90 * interval '1 day' end
      from generate_series(${from}::int, ${Math.min(from + SLICE, units) - 1}::int) n
      join device_batches b on b.number = 'B' || n % ${batches}::int`.execute(db);
  }
  await sql`vacuum analyze delivered_units, device_batches`.execute(db);
  await portal.longestStallMs();

  const worst = async (id: string, asked: readonly { name: string; call: () => Promise<unknown> }[]) => {
    const times: { name: string; p95: number }[] = [];
    for (const { name, call } of asked) times.push({ name, p95: percentiles(await timed(calledEach, call)).p95 });
    const slowest = times.sort((one, other) => other.p95 - one.p95).slice(0, 4);
    const told = slowest.map(({ name, p95 }) => `${name} ${shown(p95)}`).join(', ');
    bench.tell(id, slowest[0]?.p95 ?? 0, `${units} units; ${told}`);
  };
  const list = (input: Input<typeof calls.unitList>) => () => portal.call(calls.unitList, { pageSize: 50, ...input });
  await worst(
    'factory.list',
    sortFieldsOf(unitFields).flatMap((field) =>
      (['asc', 'desc'] as const).map((order) => ({
        name: `${field} ${order}`,
        call: list({ sort: { field, order } }),
      })),
    ),
  );
  const { batches: some } = await portal.call(calls.batchList, { pageSize: 50 });
  const batchID = some[0]?.batchID ?? '';
  const conditions: Record<string, NonNullable<Input<typeof calls.unitList>['condition']>> = {
    'never seen': { seen: 'never' },
    'never seen for 90 days': { seen: 'never', deliveredDays: 90 },
    'a batch': { batchID },
    'never seen of a batch': { batchID, seen: 'never' },
    'a kind': { kind: 'battery' },
    'a manufacturer': { manufacturerID },
    'warranty ends soon': { warranty: 'endsSoon' },
    'warranty over': { warranty: 'over' },
    'a part of numbers': { content: '00042' },
    nothing: { content: 'XYZZY' },
  };
  await worst(
    'factory.filter',
    Object.entries(conditions).flatMap(([name, condition]) => [
      { name, call: list({ condition }) },
      { name: `${name} by delivery`, call: list({ condition, sort: { field: 'deliveredOn', order: 'desc' } }) },
    ]),
  );
  const counted = percentiles(await timed(calledEach, () => portal.call(calls.batchList, { pageSize: 50 })));
  bench.tell('factory.batches', counted.p95, `p50 ${shown(counted.p50)} ms`);

  const token = await portal.session();
  const answered = async <T>(response: Response): Promise<T> => {
    const answer = (await response.json()) as Envelope<T>;
    if (answer.errno !== 0) throw new Error(answer.msg);
    return answer.result;
  };
  const send = async <const E extends Endpoint>(endpoint: E, fields: Input<E>, file: Blob): Promise<Result<E>> => {
    const [url, { headers }] = signedRequest(portal.url, endpoint, {}, { token });
    const { 'content-type': _, ...others } = headers as Record<string, string>;
    const body = new FormData();
    for (const [name, value] of Object.entries(fields as object)) body.append(name, String(value));
    body.append('file', file);
    return answered(await fetch(url, { method: 'POST', headers: others, body }));
  };
  const run = async (importID: string): Promise<Result<typeof calls.importRun>> =>
    answered(await fetch(...signedRequest(portal.url, calls.importRun, { importID }, { token })));
  const target = {
    manufacturerID,
    number: 'Import',
    kind: 'inverter',
    model: 'BX-0',
    deliveredOn: '2026-01-31',
  } as const;
  const made = await portal.call(calls.batchAdd, target);
  const lines = Array.from({ length: rows }, (_, at) => `NW${String(at).padStart(9, '0')};OD-${at};;1.4.2;2026-02-03`);
  const file = new Blob([`SN;ODM-SN;model;firmware;delivered on\r\n${lines.join('\r\n')}\r\n`]);
  await portal.longestStallMs();
  const before = memoryMiB(pid, false);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryMiB(pid, false));
  }, LOOK_MS);
  const seconds = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    const done = await work();
    bench.tell(id, (performance.now() - startedMs) / 1_000);
    return done;
  };
  const check = () => send(calls.importCheck, { batchID: made.batchID }, file);
  const { importID } = await seconds('factory.check', check);
  const { added } = await seconds('factory.import', () => run(importID));
  if (added !== rows) throw new Error(`${added} of ${rows} rows were imported`);
  const { same } = await seconds('factory.again', check);
  if (same !== rows) throw new Error(`${same} of ${rows} rows are there already`);
  clearInterval(watch);
  bench.tell('factory.memory', peak - before, `of the server, a file of ${shown(file.size / 1e6)} MB`);
  bench.tell('factory.stall', await portal.longestStallMs());
});
