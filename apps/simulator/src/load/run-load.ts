import { LoadEdge } from './load-edge.ts';

export interface LoadOptions {
  host: string;
  port: number;
  group: string;
  /** Serial number and password of every logger that may be used. */
  credentials: readonly (readonly [sn: string, password: string])[];
  loggers: number;
  devicesPerLogger: number;
  intervalS: number;
  durationS: number;
  qos: 0 | 1;
  /** As fast as the broker takes it; with QoS 1 up to `window` unacknowledged messages a logger. */
  isMax: boolean;
  window: number;
  connectsPerSecond: number;
}

export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export interface LoadStats {
  loggers: number;
  devices: number;
  connected: number;
  failed: number;
  lost: number;
  sent: number;
  acked: number;
  bytes: number;
  seconds: number;
  samplesPerSecond: number;
  valuesPerSecond: number;
  connectMs: Percentiles;
  ackMs: Percentiles;
  /** Reports that came later than a tenth of the interval: then the generator itself is the limit. */
  late: number;
  firstError: string;
}

const TICK_MS = 10;
const DRAIN_MS = 5_000;
const VALUES = 60;
const BURST = 64;

/** Runs synthetic loggers for a bounded time. Rejects only where no logger can connect. */
export async function runLoad(options: LoadOptions): Promise<LoadStats> {
  const { loggers, devicesPerLogger, qos, credentials } = options;
  if (credentials.length < loggers) {
    throw new Error(`credentials for ${credentials.length} loggers, but ${loggers} are asked for`);
  }
  const ackMs = new LatencyHistogram();
  const edges = credentials.slice(0, loggers).map(
    ([sn, password], index) =>
      new LoadEdge({
        ...options,
        sn,
        password,
        firstDevice: index * devicesPerLogger,
        devices: devicesPerLogger,
        onAck: (latencyMs) => ackMs.add(latencyMs),
      }),
  );
  const { connectMs, failed, firstError } = await connectAll(edges, options.connectsPerSecond);
  const open = edges.filter((edge) => edge.isOpen);
  if (open.length === 0) throw new Error(`no logger could connect: ${firstError}`);
  const startedMs = performance.now();
  const late = options.isMax ? await pushAll(open, options) : await reportAll(open, options);
  const seconds = (performance.now() - startedMs) / 1000;
  const sent = total(edges, (edge) => edge.sent);
  if (qos === 1) await drained(open);
  const lost = open.filter((edge) => !edge.isOpen).length;
  for (const edge of edges) edge.close(true);
  return {
    loggers,
    devices: loggers * devicesPerLogger,
    connected: open.length,
    failed,
    lost,
    sent,
    acked: total(edges, (edge) => edge.acked),
    bytes: total(edges, (edge) => edge.bytes),
    seconds,
    samplesPerSecond: sent / seconds,
    valuesPerSecond: (sent * VALUES) / seconds,
    connectMs: connectMs.percentiles(),
    ackMs: ackMs.percentiles(),
    late,
    firstError,
  };
}

async function connectAll(edges: readonly LoadEdge[], perSecond: number) {
  const connectMs = new LatencyHistogram();
  let failed = 0;
  let firstError = '';
  const startedMs = performance.now();
  const opening: Promise<void>[] = [];
  for (const [index, edge] of edges.entries()) {
    const dueMs = startedMs + (index * 1000) / perSecond;
    if (dueMs > performance.now()) await wait(dueMs - performance.now());
    opening.push(
      edge.open().then(
        (tookMs) => connectMs.add(tookMs),
        (error: unknown) => {
          failed += 1;
          if (firstError === '') firstError = error instanceof Error ? error.message : String(error);
        },
      ),
    );
  }
  await Promise.all(opening);
  return { connectMs, failed, firstError };
}

/** Every logger once in each interval, evenly spread over it. */
async function reportAll(edges: readonly LoadEdge[], { intervalS, durationS }: LoadOptions): Promise<number> {
  const intervalMs = intervalS * 1000;
  const startedMs = performance.now();
  const endMs = startedMs + durationS * 1000;
  let reports = 0;
  let late = 0;
  for (;;) {
    const nowMs = performance.now();
    if (nowMs >= endMs) return late;
    for (;;) {
      const dueMs = startedMs + (reports * intervalMs) / edges.length;
      if (dueMs > nowMs) break;
      const edge = edges[reports % edges.length];
      if (edge?.isOpen === true) edge.report(Date.now());
      if (nowMs - dueMs > Math.max(50, intervalMs / 10)) late += 1;
      reports += 1;
    }
    await wait(TICK_MS);
  }
}

async function pushAll(edges: readonly LoadEdge[], { durationS, qos, window }: LoadOptions): Promise<number> {
  const endMs = performance.now() + durationS * 1000;
  while (performance.now() < endMs) {
    let pushed = 0;
    const nowMs = Date.now();
    for (const edge of edges) {
      const room = qos === 1 ? window - edge.unacked : BURST;
      if (room <= 0 || !edge.hasRoom) continue;
      edge.push(nowMs, Math.min(room, BURST));
      pushed += 1;
    }
    if (pushed === 0) await wait(1);
    else await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return 0;
}

async function drained(edges: readonly LoadEdge[]): Promise<void> {
  const untilMs = performance.now() + DRAIN_MS;
  while (performance.now() < untilMs && edges.some((edge) => edge.isOpen && edge.unacked > 0)) await wait(TICK_MS);
}

function total(edges: readonly LoadEdge[], value: (edge: LoadEdge) => number): number {
  return edges.reduce((sum, edge) => sum + value(edge), 0);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const SLOTS_PER_DECADE = 100;
const LOWEST_MS = 0.01;

/** Latencies in slots of 2.3 %, so that any number of them takes the same space. */
export class LatencyHistogram {
  readonly #slots = new Float64Array(SLOTS_PER_DECADE * 8);
  #count = 0;
  #max = 0;

  add(latencyMs: number): void {
    const slot = Math.round(Math.log10(Math.max(LOWEST_MS, latencyMs) / LOWEST_MS) * SLOTS_PER_DECADE);
    const index = Math.min(this.#slots.length - 1, slot);
    this.#slots[index] = (this.#slots[index] ?? 0) + 1;
    this.#count += 1;
    this.#max = Math.max(this.#max, latencyMs);
  }

  percentiles(): Percentiles {
    return { p50: this.#at(0.5), p95: this.#at(0.95), p99: this.#at(0.99), max: round(this.#max) };
  }

  #at(share: number): number {
    if (this.#count === 0) return 0;
    let seen = 0;
    for (let slot = 0; slot < this.#slots.length; slot += 1) {
      seen += this.#slots[slot] ?? 0;
      if (seen >= share * this.#count) return round(Math.min(this.#max, LOWEST_MS * 10 ** (slot / SLOTS_PER_DECADE)));
    }
    return round(this.#max);
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
