import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createLiveBus } from '../changes/live-bus.ts';
import { Channel } from '../commands/channel.ts';
import { Dispatcher } from '../commands/dispatcher.ts';
import { Wire } from '../commands/wire.ts';
import { readConfig } from '../config.ts';
import { startIngestion } from '../start-ingestion.ts';
import { startStores } from '../stores/stores.ts';

/** Broker and ingestion in a process that ends, as by `kill -9`, at a step of a command. */
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
};

const { send } = Wire.prototype;
const { answered } = Dispatcher.prototype;
const { tell } = Channel.prototype;
switch (process.env.KILL_AT) {
  case 'written':
    Wire.prototype.send = async () => die();
    break;
  case 'sent':
    Wire.prototype.send = async function sendAndDie(...sent) {
      await send.apply(this, sent);
      setTimeout(die, 100);
    };
    break;
  case 'answered':
    Dispatcher.prototype.answered = die;
    break;
  case 'confirmed': {
    let told = 0;
    Channel.prototype.tell = async function tellOrDie(changed) {
      told += 1;
      if (told > 1) die();
      await tell.call(this, changed);
    };
    break;
  }
  default:
    Dispatcher.prototype.answered = answered;
}

const settings = JSON.parse(process.env.SETTINGS ?? '{}') as Record<string, string>;
const logger = pino({ level: 'silent' });
const config = readConfig({ MQTT_TLS_PORT: 'off', DEMO: 'off', ...settings });
const stores = await startStores(config, logger);
const bus = await createLiveBus(stores.databaseConnection, stores.db, logger);
const ingestion = await startIngestion({
  config: { ...config, mqttUrl: undefined },
  db: stores.db,
  telemetry: stores.telemetry,
  bus,
  logger,
  metrics: new Registry(),
  timing: { commands: { dataloggerMs: 500, deviceMs: 500, echoMs: 500, tries: 3 } },
});
process.once('disconnect', () => process.exit(0));
process.send?.(ingestion.port);
