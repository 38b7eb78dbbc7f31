import type { ControlAnswer, ControlRequest } from './control.ts';
import { type FaultName, faultKind, faultKinds, isFaultName } from './faults.ts';
import type { PlantRunner } from './plant-runner.ts';

/** Answers requests to a running fleet. */
export function handleControl(runners: readonly PlantRunner[], request: ControlRequest, nowMs: number): ControlAnswer {
  switch (request.command) {
    case 'fault':
      return switchOn(runners, request, nowMs);
    case 'clear':
      return clear(runners, request, nowMs);
    case 'faults':
      return { isOk: true, lines: runners.flatMap((runner) => describe(runner, nowMs)) };
    case 'plants':
      return {
        isOk: true,
        lines: runners.map(({ plant, edges }) => {
          const isConnected = edges.some((edge) => edge.isConnected);
          return `${plant.plant.key}  ${plant.plant.name}  ${isConnected ? 'connected' : 'not connected'}  PV ${Math.round(plant.powers.pvW)} W`;
        }),
      };
    default:
      return { isOk: false, lines: ['unknown command'] };
  }
}

/** The list of faults for people. */
export function faultCatalogue(): string[] {
  return Object.keys(faultKinds)
    .filter(isFaultName)
    .map((name) => `${name.padEnd(24)}${faultKind(name).target.padEnd(10)}${faultKind(name).effect}`);
}

function switchOn(
  runners: readonly PlantRunner[],
  { target, fault, forMs, string, setting, code }: Extract<ControlRequest, { command: 'fault' }>,
  nowMs: number,
): ControlAnswer {
  if (!isFaultName(fault)) return { isOk: false, lines: [`${fault} is no known fault`] };
  const found = findTarget(runners, target, fault);
  if (typeof found === 'string') return { isOk: false, lines: [found] };
  found.runner.plant.faults.inject(found.sn, fault, nowMs, forMs, string, { setting, code });
  const duration = forMs === undefined ? 'until cleared' : `for ${Math.round(forMs / 1000)} s`;
  return { isOk: true, lines: [`${fault} on ${found.sn} of ${found.runner.plant.plant.name} ${duration}`] };
}

function findTarget(
  runners: readonly PlantRunner[],
  target: string,
  fault: FaultName,
): { runner: PlantRunner; sn: string } | string {
  const kind = faultKind(fault).target;
  for (const runner of runners) {
    const { plant } = runner.plant;
    const isPlant = plant.key === target || plant.name === target;
    for (const datalogger of plant.loggers) {
      if (kind === 'logger' && (isPlant || datalogger.sn === target)) return { runner, sn: datalogger.sn };
      const device = datalogger.devices.find((each) => each.kind === kind && (isPlant || each.sn === target));
      if (device !== undefined) return { runner, sn: device.sn };
      if (datalogger.sn === target || datalogger.devices.some((each) => each.sn === target)) {
        return `${fault} happens to a ${kind}, which ${target} is not`;
      }
    }
    if (isPlant) return `${plant.name} has no ${kind}`;
  }
  return `${target} is no plant and no serial number of the fleet`;
}

function clear(
  runners: readonly PlantRunner[],
  { target, fault }: Extract<ControlRequest, { command: 'clear' }>,
  nowMs: number,
): ControlAnswer {
  if (fault !== undefined && !isFaultName(fault)) return { isOk: false, lines: [`${fault} is no known fault`] };
  let isKnown = target === undefined;
  let ended = 0;
  for (const { plant } of runners) {
    const { key, name, loggers: dataloggers } = plant.plant;
    const isPlant = target === undefined || key === target || name === target;
    const sns = dataloggers.flatMap((datalogger) => [datalogger.sn, ...datalogger.devices.map((device) => device.sn)]);
    const isDevice = target !== undefined && sns.includes(target);
    if (!isPlant && !isDevice) continue;
    isKnown = true;
    ended += plant.faults.clear(nowMs, isPlant ? undefined : target, fault);
  }
  if (!isKnown) return { isOk: false, lines: [`${target} is no plant and no serial number of the fleet`] };
  return { isOk: true, lines: [`${ended} ended`] };
}

function describe({ plant }: PlantRunner, nowMs: number): string[] {
  return plant.faults.active(nowMs).map(({ device, name, fromMs, untilMs }) => {
    const since = new Date(fromMs).toISOString().slice(0, 16).replace('T', ' ');
    const until = Number.isFinite(untilMs) ? `, ${Math.ceil((untilMs - nowMs) / 1000)} s left` : '';
    return `${plant.plant.key}  ${device}  ${name}  since ${since} UTC${until}`;
  });
}
