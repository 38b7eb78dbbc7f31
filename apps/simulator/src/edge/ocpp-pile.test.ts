import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { FaultBoard } from '../faults.ts';
import { Plant } from '../plant/plant.ts';
import { samplePlant } from '../testing/sample-plant.ts';
import { OcppPile } from './ocpp-pile.ts';
import { realSchedule } from './pause.ts';

const SN = 'P11231100117';
/** A day on which its vehicle comes home. */
const DAY_MS = Date.UTC(2026, 5, 1);

type Told = Record<string, unknown>;

/** A central system that accepts everything, and keeps what it was told. */
class Central {
  readonly server = new WebSocketServer({ port: 0 });
  readonly calls: { method: string; params: Told }[] = [];
  #waiting: (() => void)[] = [];
  socket: WebSocket | undefined;

  constructor() {
    this.server.on('connection', (socket) => {
      this.socket = socket;
      socket.on('message', (data) => {
        const [type, id, method, params] = JSON.parse(String(data)) as [number, string, string, Told];
        if (type !== 2) return;
        this.calls.push({ method, params });
        socket.send(JSON.stringify([3, id, { status: 'Accepted', transactionId: 42 }]));
        for (const done of this.#waiting.splice(0)) done();
      });
    });
  }

  async next(fits: (call: { method: string; params: Told }) => boolean): Promise<Told> {
    for (;;) {
      const found = this.calls.find(fits);
      if (found !== undefined) return found.params;
      await new Promise<void>((done) => this.#waiting.push(done));
    }
  }

  send(method: string, params: Told): void {
    this.socket?.send(JSON.stringify([2, `${method} ${Math.random()}`, method, params]));
  }
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function plantOnCharge(): { plant: Plant; plugMs: number } {
  const plant = new Plant(samplePlant('lindenblick'), DAY_MS, new FaultBoard());
  for (let minute = 0; minute < 14 * 1_440; minute += 1) {
    plant.advanceTo(DAY_MS + minute * 60_000);
    if ((plant.chargers[0]?.powerW ?? 0) > 2_000) return { plant, plugMs: plant.tsMs };
  }
  throw new Error('its vehicle never came');
}

test('a simulated pile tells its session, draws what it is offered, and what it could not tell comes after', async () => {
  const central = new Central();
  await once(central.server, 'listening');
  const { plant, plugMs } = plantOnCharge();
  const address = `ws://127.0.0.1:${(central.server.address() as AddressInfo).port}/ocpp/CP`;
  const stopping = new AbortController();
  let atMs = plugMs;
  const pile = new OcppPile({
    plant,
    sn: SN,
    access: { address, password: 'x' },
    schedule: realSchedule,
    backoffMs: { low: 10, high: 20 },
    onNote: () => undefined,
  });
  const running = pile.run(stopping.signal, () => atMs);
  stops.push(async () => {
    stopping.abort();
    await running;
    central.server.close();
  });
  const minute = () => {
    atMs += 60_000;
    plant.advanceTo(atMs);
    pile.report(atMs);
  };
  await central.next(({ method }) => method === 'BootNotification');
  await central.next(({ method }) => method === 'StartTransaction');

  central.send('SetChargingProfile', {
    csChargingProfiles: { chargingSchedule: { chargingSchedulePeriod: [{ startPeriod: 0, limit: 6 }] } },
  });
  await expect.poll(() => plant.offersW.get(SN)).toBe(6 * 230 * 3);
  minute();
  expect(plant.chargers[0]?.powerW).toBeLessThanOrEqual(6 * 230 * 3);

  const cut = once(central.socket as WebSocket, 'close');
  central.socket?.terminate();
  await cut;
  for (let kept = 0; kept < 5; kept += 1) minute();
  const lastMs = atMs;
  const isLast = ({ method, params }: { method: string; params: Told }): boolean =>
    method === 'MeterValues' && JSON.stringify(params).includes(new Date(lastMs).toISOString());
  expect(await central.next(isLast)).toMatchObject({ transactionId: 42 });

  central.send('RemoteStopTransaction', { transactionId: 42 });
  await expect.poll(() => plant.offersW.get(SN)).toBe(0);
  minute();
  const { meterStop } = await central.next(({ method }) => method === 'StopTransaction');
  expect(meterStop).toBe(Math.round(plant.state.piles[SN]?.energyWh ?? 0));
});
