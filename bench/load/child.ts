import { setTimeout as delay } from 'node:timers/promises';
import { Edge } from './edge.ts';
import { LatencyHistogram } from './latency-histogram.ts';
import type { LoadOptions, LoadOrder, LoadStats } from './messages.ts';

/** The process of a load generator: does what it is told and answers each order with its figures so far. */

const BURST = 32;
const TICK_MS = 10;
const DRAIN_MS = 20_000;
const RETRY_MS = 1_000;
const OPENING_AT_ONCE = 400;

const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions;
let ackMs = new LatencyHistogram();
const edges = Array.from(
  { length: options.dataloggers },
  (_, index) =>
    new Edge({
      ...options,
      index: options.firstDatalogger + index,
      devices: options.devicesPerDatalogger,
      acknowledged: (latencyMs) => ackMs.add(latencyMs),
    }),
);
let late = 0;
let firstError = '';
/** Loggers that were cut and are to come back by themselves. */
let isClosing = false;

const handlers: { [D in LoadOrder['do']]: (order: Extract<LoadOrder, { do: D }>) => Promise<void> } = {
  async connect({ perSecond }) {
    const startedMs = performance.now();
    await Promise.all(
      edges.map(async (edge, index) => {
        const dueMs = startedMs + (index * 1000) / perSecond;
        await delay(Math.max(0, dueMs - performance.now()));
        await openOften(edge);
      }),
    );
  },
  async push({ seconds }) {
    const endMs = performance.now() + seconds * 1000;
    while (performance.now() < endMs) {
      let pushed = 0;
      for (const edge of edges) {
        const room = options.qos === 1 ? options.window - edge.unacked : BURST;
        if (room < Math.min(BURST, options.window) || !edge.hasRoom) continue;
        edge.push(Math.min(room, BURST));
        pushed += 1;
      }
      await (pushed === 0 ? delay(1) : new Promise<void>((resolve) => setImmediate(resolve)));
    }
    await drained();
  },
  async report({ seconds }) {
    const intervalMs = options.intervalS * 1000;
    const startedMs = performance.now();
    const endMs = startedMs + seconds * 1000;
    for (let reports = 0; performance.now() < endMs; await delay(TICK_MS)) {
      for (;;) {
        const overdueMs = performance.now() - (startedMs + (reports * intervalMs) / edges.length);
        if (overdueMs < 0) break;
        const edge = edges[reports % edges.length];
        if (edge?.isOpen === true) edge.report();
        if (overdueMs > Math.max(50, intervalMs / 10)) late += 1;
        reports += 1;
      }
    }
    await drained();
  },
  async storm({ dataloggers }) {
    const cut = edges.slice(0, dataloggers);
    for (const edge of cut) edge.close(false);
    let next = 0;
    const worker = async () => {
      for (let edge = cut[next++]; edge !== undefined; edge = cut[next++]) await openOften(edge);
    };
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, worker));
  },
  async end() {
    isClosing = true;
    for (const edge of edges) edge.close(true);
    await delay(200);
  },
};

async function openOften(edge: Edge): Promise<void> {
  while (!isClosing) {
    try {
      await edge.open();
      return;
    } catch (error) {
      if (firstError === '') firstError = error instanceof Error ? error.message : String(error);
      await delay(RETRY_MS);
    }
  }
}

async function drained(): Promise<void> {
  const untilMs = performance.now() + DRAIN_MS;
  while (performance.now() < untilMs && edges.some((edge) => edge.isOpen && edge.unacked > 0)) await delay(TICK_MS);
}

function stats(seconds: number): LoadStats {
  const devices = edges.flatMap((edge) => edge.devices);
  const sum = (value: (edge: Edge) => number) => edges.reduce((total, edge) => total + value(edge), 0);
  const ackedByDevice = devices.map((device) => device.acked);
  return {
    connected: sum((edge) => (edge.isOpen ? 1 : 0)),
    seconds,
    sent: sum((edge) => edge.sent),
    acked: ackedByDevice.reduce((total, acked) => total + acked, 0),
    unacked: sum((edge) => edge.unacked),
    ackMs: ackMs.percentiles(),
    newestMs: devices.reduce((newest, device) => Math.max(newest, device.nextMs), 0),
    ackedByDevice,
    late,
    firstError,
  };
}

process.on('message', (order: LoadOrder) => {
  const startedMs = performance.now();
  ackMs = new LatencyHistogram();
  const handle = handlers[order.do] as (order: LoadOrder) => Promise<void>;
  handle(order).then(
    () => {
      process.send?.(stats((performance.now() - startedMs) / 1000));
      if (order.do === 'end') process.disconnect();
    },
    (error: unknown) => {
      process.stderr.write(`load: ${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
