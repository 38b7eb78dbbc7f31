import { setTimeout as delay } from 'node:timers/promises';
import { brokerAddress, Load } from './load/load.ts';
import { benchmark } from './support/benchmark.ts';
import { knownDevices, makePlants } from './support/fleet.ts';
import { openStream } from './support/live-streams.ts';
import { openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { coresText, watchUsage } from './support/usage.ts';

const streamCount = setting('BENCH_STREAMS', 500, 30);
const seconds = setting('BENCH_SECONDS', 60, 5);
const plants = sized(20, 3);
/** Longer than the second in which a plant is sent to a stream at most once: so every report is an event of its own. */
const INTERVAL_S = 2;
const STREAMS_PER_SESSION = 18;
/** Time to leave out at the beginning: births and first states. */
const SETTLE_MS = sized(3_000, 1_500);

await benchmark('streams', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  await makePlants(portal.db, 1, plants);
  const load = new Load(bench, {
    ...brokerAddress(portal.mqttUrl),
    firstDatalogger: 1,
    dataloggers: plants,
    devicesPerDatalogger: 1,
    qos: 1,
    intervalS: INTERVAL_S,
    startMs: 0,
    stepMs: INTERVAL_S * 1000,
    window: 64,
  });
  await load.order({ do: 'connect', perSecond: 100 });
  await load.order({ do: 'report', seconds: INTERVAL_S });
  const sites = [...new Set((await knownDevices(portal.db)).map(({ siteId }) => siteId))];
  if (sites.length < plants) throw new Error(`${sites.length} of ${plants} plants have devices`);

  const countFromMs = Date.now() + SETTLE_MS;
  const firstSeen = new Map<string, number>();
  const spreadMs: number[] = [];
  const pushMs: number[] = [];
  const tokens = await Promise.all(
    Array.from({ length: Math.ceil(streamCount / STREAMS_PER_SESSION) }, () => portal.session()),
  );
  let open = 0;
  for (let from = 0; from < streamCount; from += 50) {
    const batch = Array.from({ length: Math.min(50, streamCount - from) }, async (_, at) => {
      const number = from + at;
      const subject = `site:${sites[number % sites.length]}`;
      const token = tokens[Math.floor(number / STREAMS_PER_SESSION)] ?? '';
      let newestMs = 0;
      const stream = await openStream(portal.url, token, [subject], (event, arrivedMs) => {
        if (event.type !== 'site' || event.site.asOfMs === null || event.site.asOfMs <= newestMs) return;
        newestMs = event.site.asOfMs;
        if (newestMs < countFromMs) return;
        const key = `${event.site.stationID} ${newestMs}`;
        const firstMs = firstSeen.get(key);
        if (firstMs === undefined) firstSeen.set(key, arrivedMs);
        else spreadMs.push(arrivedMs - firstMs);
        pushMs.push(arrivedMs - newestMs);
      });
      bench.atEnd(() => stream.close());
      open += 1;
    });
    await Promise.all(batch);
  }
  bench.say(`${open} streams open`);
  const watch = watchUsage(portal.pid, [load.pid]);
  await load.order({ do: 'report', seconds: seconds + SETTLE_MS / 1000 });
  await delay(1_000);
  const usage = watch.end();
  await load.order({ do: 'end' });
  if (spreadMs.length === 0) throw new Error('no event arrived');
  const spread = percentiles(spreadMs);
  const push = percentiles(pushMs);
  bench.tell('streams.open', open);
  bench.tell(
    'streams.spread.p99',
    spread.p99,
    `${pushMs.length} events of ${plants} plants that report every ${INTERVAL_S} s, p50 ${shown(spread.p50)} ms; reading them included, in one process; ${coresText(usage)}`,
  );
  bench.tell('streams.push.p99', push.p99, `p50 ${shown(push.p50)} ms; a plant is sent at most once a second`);
});
