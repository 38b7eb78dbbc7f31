import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, benchmark } from './support/benchmark.ts';
import { findProgram, freePort, httpCall, type PeerProcess, settledBytes, startPeer } from './support/peer.ts';
import { BATCH, curveFields, PeerBatches } from './support/peer-batches.ts';
import { quantile, shown } from './support/quantiles.ts';
import { readResults } from './support/results.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';
import { memoryMiB } from './support/usage.ts';

const sendingSeconds = setting('BENCH_PEER_SECONDS', 60, 2);
const devices = setting('BENCH_LOGGERS', 200, 20) * 5;
const stepMs = setting('BENCH_STEP_S', 10, 10) * 1000;
const batchesAtOnce = sized(20, 4);
const connections = 2;
const curves = sized(200, 10);
const DAY_MS = 86_400_000;

interface Peer {
  readonly id: 'influxdb' | 'victoria';
  readonly name: string;
  readonly program: string;
  /** Package of Debian that holds it. */
  readonly debian: string;
  readonly timeDigits: string;
  start(bench: Bench, program: string, folder: string, port: number): Promise<PeerProcess>;
  writeUrl(port: number): string;
  curve(port: number, device: number, fromMs: number, toMs: number): Promise<unknown>;
  settle(port: number): Promise<unknown>;
}

const address = (port: number) => `http://127.0.0.1:${port}`;

const influxdb: Peer = {
  id: 'influxdb',
  name: 'InfluxDB 1.6',
  program: 'influxd',
  debian: 'influxdb',
  timeDigits: '000000',
  async start(bench, program, folder, port) {
    const config = join(folder, 'influxdb.conf');
    writeFileSync(
      config,
      `reporting-disabled = true
bind-address = "127.0.0.1:${await freePort()}"
[meta]
dir = "${join(folder, 'data/meta')}"
[data]
dir = "${join(folder, 'data/data')}"
wal-dir = "${join(folder, 'data/wal')}"
query-log-enabled = false
cache-snapshot-write-cold-duration = "5s"
compact-full-write-cold-duration = "5s"
[monitor]
store-enabled = false
[http]
bind-address = "127.0.0.1:${port}"
log-enabled = false
[subscriber]
enabled = false
`,
    );
    const peer = await startPeer(bench, program, ['-config', config], `${address(port)}/ping`);
    await httpCall(`${address(port)}/query?q=${encodeURIComponent('CREATE DATABASE bench')}`, 'POST');
    return peer;
  },
  writeUrl: (port) => `${address(port)}/write?db=bench&precision=ns`,
  curve(port, device, fromMs, toMs) {
    const query = `SELECT ${curveFields.map((field) => `"${field}"`).join(', ')} FROM inverter
      WHERE device = 'd${device}' AND time >= ${fromMs}ms AND time < ${toMs}ms`;
    return httpCall(`${address(port)}/query?db=bench&epoch=ms&q=${encodeURIComponent(query)}`, 'GET');
  },
  settle: async () => undefined,
};

const victoria: Peer = {
  id: 'victoria',
  name: 'VictoriaMetrics',
  program: 'victoria-metrics',
  debian: 'victoria-metrics',
  timeDigits: '000000',
  start: (bench, program, folder, port) =>
    startPeer(
      bench,
      program,
      [`-storageDataPath=${join(folder, 'data')}`, `-httpListenAddr=127.0.0.1:${port}`, '-retentionPeriod=12'],
      `${address(port)}/health`,
    ),
  writeUrl: (port) => `${address(port)}/write`,
  curve(port, device, fromMs, toMs) {
    const match = `{__name__=~"inverter_(${curveFields.join('|')})",device="d${device}"}`;
    return httpCall(
      `${address(port)}/api/v1/export?match[]=${encodeURIComponent(match)}&start=${fromMs / 1000}&end=${toMs / 1000}`,
      'GET',
    );
  },
  async settle(port) {
    await httpCall(`${address(port)}/internal/force_flush`, 'GET');
    await httpCall(`${address(port)}/internal/force_merge`, 'GET');
  },
};

/** Sends ready batches over two connections; only the sending counts. */
async function send(bench: Bench, peer: Peer, port: number, batches: PeerBatches) {
  let samples = 0;
  let sentMs = 0;
  while (sentMs < sendingSeconds * 1000) {
    const ready = Array.from({ length: batchesAtOnce }, () => batches.next());
    const startedMs = performance.now();
    const worker = async () => {
      for (let body = ready.pop(); body !== undefined; body = ready.pop()) {
        await httpCall(peer.writeUrl(port), 'POST', body);
        samples += BATCH;
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    sentMs += performance.now() - startedMs;
  }
  bench.say(`${peer.name}: ${samples} samples in ${(sentMs / 1000).toFixed(1)} s of sending`);
  return { samples, perSecond: (samples * 1000) / sentMs };
}

async function measure(bench: Bench, peer: Peer): Promise<void> {
  const program = findProgram(peer.program);
  if (program === undefined) {
    bench.note(`${peer.name} is not installed (Debian: apt-get install ${peer.debian}), so it was not compared`);
    return;
  }
  const folder = join(bench.folder, peer.id);
  mkdirSync(join(folder, 'data'), { recursive: true });
  const port = await freePort();
  const running = await peer.start(bench, program, folder, port);
  const startMs = Math.floor((Date.now() - 4 * DAY_MS) / stepMs) * stepMs;
  const batches = new PeerBatches({ devices, startMs, stepMs, timeDigits: peer.timeDigits });
  const { samples, perSecond } = await send(bench, peer, port, batches);
  const memory = memoryMiB(running.pid, false);
  bench.tell(
    `peers.${peer.id}`,
    perSecond,
    `${samples} samples by HTTP, ${BATCH} a batch, ${shown(memory)} MiB of memory`,
  );

  await peer.settle(port);
  await settledBytes(join(folder, 'data'), sized(20_000, 1_000), sized(120_000, 5_000));
  const toMs = batches.newestMs + stepMs;
  const fromMs = Math.max(startMs, toMs - DAY_MS);
  const times = await timed(curves, (at) => peer.curve(port, (at * 7) % devices, fromMs, toMs));
  bench.tell(
    `peers.${peer.id}.curve`,
    quantile(times, 0.95),
    `${curves} calls, ${Math.round((toMs - fromMs) / stepMs)} samples each, p50 ${shown(quantile(times, 0.5))} ms`,
  );
  await running.end();
  const bytes = await settledBytes(join(folder, 'data'), 1_000, 5_000);
  bench.tell(`peers.${peer.id}.bytes`, bytes / samples, 'whole data folder after the end of the program');
  const ours = readResults(process.env.BENCH_EARLIER ?? '').ingest?.measured['ingest.qos1'];
  if (ours !== undefined) bench.tell(`peers.${peer.id}.ratio`, ours.value / perSecond);
  else bench.note('no ratio: "ingest" did not run before in this run');
}

await benchmark('peers', async (bench) => {
  bench.note(
    'the peers get ready batches by HTTP: without MQTT, without acknowledgement of each sample, without rollups',
  );
  for (const peer of [influxdb, victoria]) await measure(bench, peer);
});
