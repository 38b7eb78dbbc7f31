import { jsonTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { expect } from 'vitest';
import { until } from './edge.ts';
import { makeDatalogger, makePlant, startTestIngestion, startTestStores } from './ingestion.ts';
import { FuzzCase, INTRUDER } from './mqtt-fuzz.ts';
import { connectBytes, publishBytes, RawMqtt, reading } from './raw-mqtt.ts';

const AT_ONCE = 16;
const MOST_CASES = 1_000_000;

/**
 * Sends a broker what the seed says until the time is over, beside a good logger whose every message must be acknowledged. Then
 * nothing may be there of anybody who is not authenticated.
 */
export async function fuzzBroker(seed: number, seconds: number): Promise<void> {
  const stores = await startTestStores();
  const ingestion = await startTestIngestion(stores, {
    config: { mqttTls: { port: 0, isAsked: true }, dataDir: stores.dataDir },
    brokerTiming: { connectMs: 500, handshakeMs: 500 },
  });
  const thrown: unknown[] = [];
  const note = (error: unknown) => thrown.push(error);
  process.on('uncaughtException', note);
  try {
    const insiders: string[] = [];
    for (let count = 0; count < 8; count += 1) insiders.push((await makePlant(stores.db)).sn);
    const victim = await makeDatalogger(stores.db, null);
    const good = await makePlant(stores.db);
    const target = { port: ingestion.port, tlsPort: ingestion.tls?.port ?? 0, insiders, victim };

    const endMs = Date.now() + seconds * 1_000;
    let cases = 0;
    const fuzz = async () => {
      while (Date.now() < endMs && cases < MOST_CASES && thrown.length === 0) {
        cases += 1;
        await new FuzzCase(seed + cases, target).run();
      }
    };
    let isOver = false;
    const goOn = async () => {
      const client = await RawMqtt.open(ingestion.port);
      client.write(connectBytes(good.sn));
      let sent = 0;
      while (!isOver) {
        sent += 1;
        client.write(publishBytes(jsonTopic(good.sn, 'up'), reading('GOOD', sent), sent));
        await client.acknowledged(sent);
        client.received.length = 0;
      }
      await client.end();
      return sent;
    };
    const going = goOn();
    await Promise.all([...Array.from({ length: AT_ONCE }, fuzz)]).finally(() => {
      isOver = true;
    });
    expect(await going, 'messages of the good logger, all acknowledged').toBeGreaterThan(0);
    expect(cases).toBeGreaterThan(100);
    expect(thrown).toEqual([]);

    await until(() => ingestion.state().connectedDataloggers === 0, 'the end of all connections');
    await until(async () => (await ingestion.counted('broker_connections')) === 0, 'the end of all sockets');
    expect(await ingestion.counted('broker_held_bytes')).toBe(0);
    await ingestion.drain();
    const intruders = stores.db.selectFrom('devices').select('sn').where('sn', 'like', `${INTRUDER}%`);
    expect(await intruders.execute()).toEqual([]);
    const seen = stores.db.selectFrom('loggers').select(['online', 'last_seen_at']).where('sn', '=', victim);
    expect(await seen.execute()).toEqual([{ online: false, last_seen_at: null }]);
    expect(await ingestion.counted('ingest_rejected_total', { reason: 'internal' })).toBe(0);
  } catch (error) {
    throw new Error(`With FUZZ_SEED=${seed}: ${thrown.map(String).join('; ')}`, { cause: error });
  } finally {
    process.off('uncaughtException', note);
    await ingestion.stop();
    await stores.stop();
  }
}

/** A new seed for each run, or that of a run to be repeated. */
export const fuzzSeed = (): number => Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
