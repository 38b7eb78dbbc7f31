import type { DiodeParameters, KeyPoints, ModuleReference } from './single-diode.ts';
import { deSotoParameters, voltageAtCurrent } from './single-diode.ts';

/** Forward voltage of a bypass diode, V: a group of cells never falls further below zero. */
export const BYPASS_DIODE_V = 0.5;

/** Equal groups of cells in series, each group under one bypass diode. */
export interface CellGroup {
  /** How many such groups; a bypassed or shorted one adds nothing in forward direction. */
  count: number;
  parameters: DiodeParameters;
  isShorted?: boolean;
}

/** A string at given conditions. */
export interface StringCircuit {
  groups: CellGroup[];
  /** Cables and connectors, ohm. */
  wiringOhm: number;
  isReversed: boolean;
}

export interface StringSpec {
  module: ModuleReference;
  modulesInSeries: number;
  /** Bypass diodes in a module; usually 3. */
  groupsPerModule?: number;
  wiringOhm?: number;
}

/** What is wrong with a string; effects add up in the order given. */
export type StringFault =
  /** A bad connector or broken ribbons, ohm in series. */
  | { kind: 'series-resistance'; ohm: number }
  /** Shunts, e.g. by PID: shunt resistance of all cells times a factor below 1, and their saturation current grown. */
  | { kind: 'low-shunt'; factor: number; saturationFactor?: number }
  /** Soiling, shade or cracks: light current of a share of the groups (0-1) times a factor below 1. */
  | { kind: 'low-current'; factor: number; share: number }
  | { kind: 'missing-modules'; count: number }
  | { kind: 'shorted-bypass'; count: number }
  | { kind: 'reversed' };

export interface CurvePoint {
  voltageV: number;
  currentA: number;
}

/** Parameters of one of equal groups in series that make up a module. */
function groupParameters(module: DiodeParameters, groups: number): DiodeParameters {
  return {
    ...module,
    seriesOhm: module.seriesOhm / groups,
    shuntOhm: module.shuntOhm / groups,
    idealityV: module.idealityV / groups,
  };
}

/** Builds a string at an irradiance, W/m2, and a cell temperature, degC, with the faults it has. */
export function stringCircuit(
  spec: StringSpec,
  planeWm2: number,
  cellC: number,
  faults: readonly StringFault[] = [],
): StringCircuit {
  const perModule = spec.groupsPerModule ?? 3;
  const healthy = groupParameters(deSotoParameters(spec.module, planeWm2, cellC), perModule);
  let groups: CellGroup[] = [{ count: spec.modulesInSeries * perModule, parameters: healthy }];
  let wiringOhm = spec.wiringOhm ?? 0;
  let isReversed = false;
  for (const fault of faults) {
    if (fault.kind === 'series-resistance') wiringOhm += fault.ohm;
    else if (fault.kind === 'reversed') isReversed = !isReversed;
    else groups = withFault(groups, fault, perModule);
  }
  return { groups, wiringOhm, isReversed };
}

function withFault(
  groups: CellGroup[],
  fault: Exclude<StringFault, { kind: 'series-resistance' | 'reversed' }>,
  perModule: number,
): CellGroup[] {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  switch (fault.kind) {
    case 'low-shunt':
      return groups.map((group) => ({
        ...group,
        parameters: {
          ...group.parameters,
          shuntOhm: group.parameters.shuntOhm * fault.factor,
          saturationCurrentA: group.parameters.saturationCurrentA * (fault.saturationFactor ?? 1),
        },
      }));
    case 'low-current':
      return changeSome(groups, Math.round(total * fault.share), (group) => ({
        ...group,
        parameters: { ...group.parameters, lightCurrentA: group.parameters.lightCurrentA * fault.factor },
      }));
    case 'missing-modules':
      return changeSome(groups, fault.count * perModule, () => undefined);
    case 'shorted-bypass':
      return changeSome(groups, fault.count, (group) => ({ ...group, isShorted: true }));
  }
}

/** Applies a change to the first groups, splitting one where the number ends inside it; undefined removes. */
function changeSome(
  groups: CellGroup[],
  howMany: number,
  change: (group: CellGroup) => CellGroup | undefined,
): CellGroup[] {
  let left = howMany;
  return groups.flatMap((group) => {
    const touched = Math.min(left, group.count);
    left -= touched;
    const changed = touched > 0 ? change({ ...group, count: touched }) : undefined;
    const rest = group.count > touched ? [{ ...group, count: group.count - touched }] : [];
    return changed === undefined ? rest : [changed, ...rest];
  });
}

/** Voltage of a string, V, at a current; falls with the current. Polarity reversal is left to the curve. */
export function stringVoltageV(circuit: StringCircuit, currentA: number): number {
  let voltageV = -currentA * circuit.wiringOhm;
  for (const group of circuit.groups) {
    if (group.isShorted === true) continue;
    voltageV += group.count * Math.max(-BYPASS_DIODE_V, voltageAtCurrent(group.parameters, currentA));
  }
  return voltageV;
}

/** Current of a string, A, at a voltage, by bisection (the voltage falls with the current); 0 in the dark. */
export function stringCurrentA(circuit: StringCircuit, voltageV: number): number {
  const lightA = Math.max(0, ...circuit.groups.map((group) => group.parameters.lightCurrentA));
  if (lightA === 0) return 0;
  let lowA = 0;
  if (stringVoltageV(circuit, 0) < voltageV) {
    lowA = -lightA;
    while (stringVoltageV(circuit, lowA) < voltageV && lowA > -1e6) lowA *= 2;
  }
  let highA = lightA * 1.05;
  for (let round = 0; round < 60 && highA - lowA > 1e-12 * lightA; round += 1) {
    const middleA = (lowA + highA) / 2;
    if (stringVoltageV(circuit, middleA) > voltageV) lowA = middleA;
    else highA = middleA;
  }
  return (lowA + highA) / 2;
}

/**
 * Samples the curve from short circuit to open circuit at equal voltage steps, ascending in voltage. A reversed string
 * shows its voltages negative.
 *
 * @param points at least 2.
 */
export function sampleCurve(circuit: StringCircuit, points: number): CurvePoint[] {
  const vocV = Math.max(0, stringVoltageV(circuit, 0));
  const curve: CurvePoint[] = [];
  for (let index = 0; index < points; index += 1) {
    const voltageV = (vocV * index) / (points - 1);
    const currentA = index === points - 1 ? 0 : stringCurrentA(circuit, voltageV);
    curve.push({ voltageV, currentA });
  }
  if (!circuit.isReversed) return curve;
  return curve.reverse().map(({ voltageV, currentA }) => ({ voltageV: -voltageV, currentA }));
}

/** Isc, Voc and the highest of the (possibly several) power maxima of a string; sought on a grid, then refined. */
export function stringKeyPoints(circuit: StringCircuit): KeyPoints {
  const vocV = Math.max(0, stringVoltageV(circuit, 0));
  const powerW = (voltageV: number): number => voltageV * stringCurrentA(circuit, voltageV);
  const steps = 120;
  let best = 0;
  let bestW = 0;
  for (let index = 1; index < steps; index += 1) {
    const candidateW = powerW((vocV * index) / steps);
    if (candidateW > bestW) {
      bestW = candidateW;
      best = index;
    }
  }
  let lowV = (vocV * Math.max(0, best - 1)) / steps;
  let highV = (vocV * (best + 1)) / steps;
  for (let round = 0; round < 40; round += 1) {
    const thirdV = (highV - lowV) / 3;
    if (powerW(lowV + thirdV) < powerW(highV - thirdV)) lowV += thirdV;
    else highV -= thirdV;
  }
  const vmpV = (lowV + highV) / 2;
  const impA = stringCurrentA(circuit, vmpV);
  return { iscA: stringCurrentA(circuit, 0), vocV, impA, vmpV, pmpW: vmpV * impA };
}
