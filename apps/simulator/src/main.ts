import { fstatSync, readFileSync, writeFileSync } from 'node:fs';
import { type Arguments, parseArguments, type RunArguments, UsageError, usage } from './arguments.ts';
import { askControl, serveControl } from './control.ts';
import { mqttTransport } from './edge/mqtt-transport.ts';
import { readOcppPiles } from './edge/ocpp-access.ts';
import { realSchedule } from './edge/pause.ts';
import { readFleet } from './fleet.ts';
import { faultCatalogue, handleControl } from './fleet-control.ts';
import { HistorySender } from './history-sender.ts';
import { InStep } from './in-step.ts';
import { PlantRunner } from './plant-runner.ts';
import { Rack, readRack } from './rack/rack.ts';
import { readState, writeState } from './state-file.ts';
import { tellPast } from './tell-past.ts';

const SAVE_EVERY_MS = 30_000;
const NOTE_AGAIN_AFTER_MS = 60_000;
/** What a logger that is not let in makes the history of the others wait at most. */
const HEARD_WITHIN_MS = 10_000;
/** Plants that report together: who stores them writes seldom, and still something moves every few seconds. */
const REPORTING_GROUPS = 3;

await main();

async function main(): Promise<void> {
  try {
    const args = parseArguments(process.argv.slice(2));
    if (args.kind === 'help') print(usage);
    else if (args.kind === 'catalogue') print(`${faultCatalogue().join('\n')}\n`);
    else if (args.kind === 'control') await control(args);
    else await run(args);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    process.stderr.write(`simulator: ${error instanceof Error ? error.message : String(error)}\n`);
    if (isUsage) process.stderr.write(`\n${usage}`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

async function control({ control: path, request }: Extract<Arguments, { kind: 'control' }>): Promise<void> {
  const answer = await askControl(path, request);
  if (!answer.isOk) throw new Error(answer.lines.join('\n'));
  print(answer.lines.length === 0 ? 'none\n' : `${answer.lines.join('\n')}\n`);
}

async function run(args: RunArguments): Promise<void> {
  const fleet = readFleet(args.fleet);
  const passwords = readCredentials(args.credentials);
  const piles = args.piles === undefined ? undefined : readOcppPiles(args.piles);
  const saved = readState(args.state, fleet.name);
  const note = sparingNotes();
  const progress = new Map<number, number>();
  const open = mqttTransport(args.mqtt, (sn) => passwords.get(sn));
  const sender = new HistorySender(realSchedule);
  const inStep = new InStep();
  const stopping = new AbortController();
  const runners: PlantRunner[] = [...fleet.plants, ...fleet.spares].map(
    (plant, index) =>
      new PlantRunner(plant, saved[plant.key], {
        open,
        keepPassword: (sn, password) => {
          passwords.set(sn, password);
          writeFileSync(args.credentials, JSON.stringify(Object.fromEntries(passwords)), { mode: 0o600 });
        },
        group: args.group,
        intervalS: args.intervalS,
        historyDays: fleet.spares.includes(plant) ? 0 : args.historyDays,
        pastDays: fleet.spares.includes(plant) ? 0 : args.pastDays,
        speed: args.speed,
        backoffMs: { low: Math.min(300, args.backoffS * 100), high: args.backoffS * 1000 },
        schedule: realSchedule,
        sender,
        inStep,
        ...(piles && { piles }),
        onNote: note,
        onProgress: (done) => tellProgress(index, done),
      }),
  );
  const allSlots = runners.reduce((sum, runner) => sum + runner.historySlots, 0);
  let told = -1;
  function tellProgress(index: number, done: number): void {
    if (args.historyDays === 0) return;
    progress.set(index, done);
    const sum = [...progress.values()].reduce((total, each) => total + each, 0);
    const hundredth = Math.floor((100 * sum) / allSlots);
    if (hundredth === told) return;
    told = hundredth;
    const untilMs = Math.min(Date.now(), ...runners.map(({ toldUntilMs }) => toldUntilMs));
    print(`${JSON.stringify({ progress: hundredth / 100, untilMs })}\n`);
  }
  const rackFacts = args.rack === undefined ? undefined : readRack(args.rack);
  const rack = rackFacts && new Rack(rackFacts, args.mqtt, passwords.get(rackFacts.sn), args.intervalS);
  const server = await serveControl(args.control, (request) => handleControl(runners, request, Date.now()));
  const save = () => {
    try {
      writeState(
        args.state,
        fleet.name,
        Object.fromEntries(runners.map((each) => [each.plant.plant.key, each.save()])),
      );
    } catch (error) {
      note(`state cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    stopping.abort();
    clearInterval(timer);
    server.close();
    save();
    await Promise.race([
      Promise.all([...runners.map((each) => each.stop()), rack?.stop()]),
      realSchedule.wait(2000, new AbortController().signal),
    ]);
    process.exit(0);
  };
  const timer = setInterval(save, SAVE_EVERY_MS);
  stopWithParent(stop);
  const spacingMs = (args.intervalS * 1000) / REPORTING_GROUPS;
  for (const [index, runner] of runners.entries()) {
    if (isStopping) return;
    runner.start((index % REPORTING_GROUPS) * spacingMs);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  print(`${JSON.stringify({ ready: true, plants: runners.length })}\n`);
  save();
  // What is now is not to wait behind what was.
  await Promise.race([
    Promise.all(runners.map((each) => each.isHeard())),
    realSchedule.wait(HEARD_WITHIN_MS, new AbortController().signal),
  ]);
  if (allSlots > 0) tellProgress(-1, 0);
  await Promise.all(runners.map((runner) => runner.tellHistory()));
  let toldOfPast = -1;
  await tellPast(
    runners.map(({ past }) => past),
    {
      sender,
      signal: stopping.signal,
      onProgress(progress) {
        const hundredth = Math.floor(100 * progress);
        if (hundredth === toldOfPast) return;
        toldOfPast = hundredth;
        print(`${JSON.stringify({ past: hundredth / 100 })}\n`);
      },
    },
  );
  if (isStopping) return;
  save();
  await Promise.all(runners.map((runner) => runner.endHistory()));
}

/** Signals, the parent's channel, or a pipe on standard input that closes. */
function stopWithParent(stop: () => void): void {
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (process.channel !== undefined) {
    process.on('disconnect', stop);
    return;
  }
  const stdin = fstatSync(0);
  if (!stdin.isFIFO() && !stdin.isSocket()) return;
  process.stdin.on('end', stop).on('error', stop).resume();
}

function readCredentials(path: string): Map<string, string> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--credentials ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof content !== 'object' || content === null) throw new UsageError(`--credentials ${path}: no object`);
  return new Map(
    Object.entries(content).map(([sn, password]) => {
      if (typeof password !== 'string') throw new UsageError(`--credentials ${path}: the password of ${sn} is no text`);
      return [sn, password];
    }),
  );
}

/** The same note at most once a minute, so that a broker that is away does not flood the log. */
function sparingNotes(): (note: string) => void {
  const lastMs = new Map<string, number>();
  return (text) => {
    const nowMs = Date.now();
    if (nowMs - (lastMs.get(text) ?? 0) < NOTE_AGAIN_AFTER_MS) return;
    lastMs.set(text, nowMs);
    process.stderr.write(`simulator: ${text}\n`);
  };
}

function print(text: string): void {
  process.stdout.write(text);
}
