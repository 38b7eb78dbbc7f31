import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { GROUP } from '@sonnenwarte/device-protocol/topics';
import { type LoadOptions, runLoad } from './load/run-load.ts';

const usage = `Load of synthetic loggers, each inverter with 60 values.

  node apps/simulator/src/load.ts --mqtt mqtt://127.0.0.1:1883 --credentials <file> [options]
    --credentials         JSON file {"<sn>": "<password>"}; the first --loggers of it are used
    --loggers             1 to 20000 (default 10)
    --devices-per-logger  1 to 50 (default 1)
    --interval            seconds between reports (default 10)
    --duration            seconds, up to 3600 (default 30)
    --qos                 0 or 1 (default 1)
    --max                 as fast as the broker takes it, instead of by interval
    --window              with --max and QoS 1: unacknowledged messages per logger (default 64)
    --connect-rate        new connections per second (default 500)
    --group               Sparkplug group (default ${GROUP})
Prints one line of JSON.
`;

try {
  const stats = await runLoad(readOptions());
  process.stdout.write(`${JSON.stringify(stats)}\n`);
  process.exit(0);
} catch (error) {
  process.stderr.write(`load: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exit(2);
}

function readOptions(): LoadOptions {
  const { values } = parseArgs({
    options: {
      mqtt: { type: 'string' },
      credentials: { type: 'string' },
      loggers: { type: 'string', default: '10' },
      'devices-per-logger': { type: 'string', default: '1' },
      interval: { type: 'string', default: '10' },
      duration: { type: 'string', default: '30' },
      qos: { type: 'string', default: '1' },
      max: { type: 'boolean', default: false },
      window: { type: 'string', default: '64' },
      'connect-rate': { type: 'string', default: '500' },
      group: { type: 'string', default: GROUP },
    },
  });
  if (values.mqtt === undefined) throw new Error('--mqtt is missing');
  if (values.credentials === undefined) throw new Error('--credentials is missing');
  const url = new URL(values.mqtt);
  const content: unknown = JSON.parse(readFileSync(values.credentials, 'utf8'));
  if (typeof content !== 'object' || content === null) throw new Error('--credentials: no object');
  return {
    host: url.hostname,
    port: Number(url.port || 1883),
    group: values.group,
    credentials: Object.entries(content).map(([sn, password]) => [sn, String(password)] as const),
    loggers: within(values.loggers, '--loggers', 1, 20_000),
    devicesPerLogger: within(values['devices-per-logger'], '--devices-per-logger', 1, 50),
    intervalS: within(values.interval, '--interval', 0.01, 3600),
    durationS: within(values.duration, '--duration', 0.1, 3600),
    qos: within(values.qos, '--qos', 0, 1) === 0 ? 0 : 1,
    isMax: values.max,
    window: within(values.window, '--window', 1, 10_000),
    connectsPerSecond: within(values['connect-rate'], '--connect-rate', 1, 10_000),
  };
}

function within(text: string, name: string, low: number, high: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= low && value <= high)) {
    throw new Error(`${name} ${text} is no number from ${low} to ${high}`);
  }
  return value;
}
