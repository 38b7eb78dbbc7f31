import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** The zone whose prices it tells. */
export const PRICE_ZONE = 'TEST';
/** Hours of UTC of every day whose prices it does not tell, from and to. */
export const UNTOLD_HOURS = [2, 3] as const;

/** Dear in the morning and the evening, cheap at noon, EUR/kWh. */
const priceAt = (tsMs: number): number => {
  const hour = (tsMs % DAY_MS) / 3_600_000;
  return Math.round(1_000_000 * (0.09 + 0.06 * Math.cos((2 * Math.PI * (hour - 7)) / 12))) / 1_000_000;
};

export interface RunningPriceSource {
  /** As `PRICE_SOURCES` takes it. */
  readonly setting: string;
  stop(): Promise<void>;
}

/** A source of market prices on this machine, which tells what it is asked for. */
export async function startPriceSource(): Promise<RunningPriceSource> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [startMs, endMs] = ['start', 'end'].map((name) => Date.parse(searchParams.get(name) ?? ''));
    const rows = [];
    for (let atMs = startMs ?? 0; atMs < (endMs ?? 0); atMs += QUARTER_MS) {
      const hour = new Date(atMs).getUTCHours();
      if (hour >= UNTOLD_HOURS[0] && hour < UNTOLD_HOURS[1]) continue;
      const [start, end] = [atMs, atMs + QUARTER_MS].map((tsMs) => new Date(tsMs).toISOString());
      rows.push({ start, end, price: priceAt(atMs), unit: 'EUR/kWh' });
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    setting: `${PRICE_ZONE}=own:http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
