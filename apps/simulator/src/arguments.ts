import { parseArgs } from 'node:util';
import { GROUP } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { type ControlRequest, defaultControlPath } from './control.ts';

/** The command line is wrong; `message` says what. */
export class UsageError extends Error {}

export interface RunArguments {
  kind: 'run';
  fleet: string;
  mqtt: string;
  credentials: string;
  historyDays: number;
  pastDays: number;
  intervalS: number;
  speed: number;
  control: string;
  state: string;
  group: string;
  backoffS: number;
  /** File with the piles that speak OCPP themselves. */
  piles: string | undefined;
  /** File with a rack of the factory. */
  rack: string | undefined;
}

export interface ControlArguments {
  kind: 'control';
  control: string;
  request: ControlRequest;
}

export type Arguments = RunArguments | ControlArguments | { kind: 'catalogue' } | { kind: 'help' };

export const usage = `Simulated plants that speak Sparkplug B over MQTT like real dataloggers.

  simulator --fleet <file> --mqtt <mqtt://host:port> --credentials <file> [options]
    --fleet          fleet file, such as apps/simulator/fleets/demo.json
    --mqtt           address of the broker
    --credentials    JSON file with the password of each logger: {"<sn>": "<password>"}
    --history-days   days of history sent first, 0 to 32 (default 0)
    --past-days      days before now that are told after it in quarters of an hour, the newest first, 0 to 800 (default 0)
    --interval       seconds between reports, 1 to 900 (default 60)
    --speed          live through the days of history so many times faster, instead of sending them as stored
    --backoff        longest wait before a reconnection in seconds (default 3; loggers in the field take 120)
    --piles          JSON file with piles of the fleet that speak OCPP 1.6J: [{"sn", "address", "password"}]
    --rack           JSON file with a rack of the factory, whose inverters are burnt in: {"sn", "inverters": [{"sn", "ratedW", "behaviour"}]}
    --group          Sparkplug group (default ${GROUP})
    --control        socket for the commands below (default <DATA_DIR>/simulator.sock)
    --state          file in which counters and states of charge survive (default beside the socket)

To a running simulator:
  simulator fault <plant or sn> <fault> [--for 10m] [--string 2] [--setting Setting/MinSoc] [--code 6]   switch a fault on
  simulator clear [plant or sn] [fault]                            end faults
  simulator faults                                                 faults that stand now
  simulator plants                                                 plants and what they do
  simulator catalogue                                              all faults by name
`;

/** Reads the command line. Throws UsageError. */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parsed(args);
  if (values.help === true) return { kind: 'help' };
  const control = values.control ?? defaultControlPath();
  const [command, ...words] = positionals;
  if (command === undefined) return runArguments(values, control);
  if (command === 'catalogue') return { kind: 'catalogue' };
  return { kind: 'control', control, request: requestOf(command, words, values) };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        fleet: { type: 'string' },
        mqtt: { type: 'string' },
        credentials: { type: 'string' },
        'history-days': { type: 'string' },
        'past-days': { type: 'string' },
        interval: { type: 'string' },
        speed: { type: 'string' },
        backoff: { type: 'string' },
        piles: { type: 'string' },
        rack: { type: 'string' },
        group: { type: 'string' },
        control: { type: 'string' },
        state: { type: 'string' },
        for: { type: 'string' },
        string: { type: 'string' },
        setting: { type: 'string' },
        code: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

type Values = ReturnType<typeof parsed>['values'];

function runArguments(values: Values, control: string): RunArguments {
  const mqtt = required(values.mqtt, '--mqtt');
  if (!/^(mqtts?|wss?|tcp):\/\/./.test(mqtt))
    throw new UsageError(`--mqtt ${mqtt} is no address like mqtt://host:1883`);
  return {
    kind: 'run',
    fleet: required(values.fleet, '--fleet'),
    mqtt,
    credentials: required(values.credentials, '--credentials'),
    historyDays: numberOf(values['history-days'], '--history-days', 0, 0, 32),
    pastDays: numberOf(values['past-days'], '--past-days', 0, 0, 800),
    intervalS: numberOf(values.interval, '--interval', 60, 1, 900),
    speed: numberOf(values.speed, '--speed', 1, 1, 100_000),
    backoffS: numberOf(values.backoff, '--backoff', 3, 0.1, 3600),
    piles: values.piles,
    rack: values.rack,
    group: values.group ?? GROUP,
    control,
    state: values.state ?? `${control.replace(/\.sock$/, '')}.state.json`,
  };
}

function requestOf(command: string, words: readonly string[], values: Values): ControlRequest {
  const [target, fault] = words;
  switch (command) {
    case 'fault':
      if (target === undefined || fault === undefined)
        throw new UsageError('fault needs a plant or serial number and a fault');
      return {
        command,
        target,
        fault,
        ...(values.for === undefined ? {} : { forMs: durationMs(values.for) }),
        ...(values.string === undefined ? {} : { string: numberOf(values.string, '--string', 1, 1, 16) }),
        ...(values.setting === undefined ? {} : { setting: values.setting }),
        ...(values.code === undefined ? {} : { code: numberOf(values.code, '--code', 6, 1, 10) }),
      };
    case 'clear':
      return { command, ...(target === undefined ? {} : { target }), ...(fault === undefined ? {} : { fault }) };
    case 'faults':
    case 'plants':
      return { command };
    default:
      throw new UsageError(`${command} is no command`);
  }
}

/** `90`, `90s`, `10m`, `2h` or `1d` in milliseconds. */
export function durationMs(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text);
  if (match === null) throw new UsageError(`${text} is no duration like 90s, 10m or 2h`);
  const unitMs = { '': 1000, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] ?? ''] ?? 1000;
  return Number(match[1]) * unitMs;
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new UsageError(`${name} is missing`);
  return value;
}

function numberOf(text: string | undefined, name: string, standard: number, low: number, high: number): number {
  if (text === undefined) return standard;
  const value = Number(text);
  if (text.trim() === '' || !(value >= low && value <= high)) {
    throw new UsageError(`${name} ${text} is no number from ${low} to ${high}`);
  }
  return value;
}
