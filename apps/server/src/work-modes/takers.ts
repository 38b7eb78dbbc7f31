import type { PlanDevice } from './work-modes.store.ts';

/** What the devices of a plant are for its plan. */
export interface Takers {
  /** What takes the plan: the EMS where there is one, else the inverters with batteries. */
  readonly devices: readonly PlanDevice[];
  readonly batteries: readonly PlanDevice[];
  readonly inverters: readonly PlanDevice[];
}

/** Devices of a kind but for those whose place others have taken; where that would be none, all. */
function stillThere(devices: readonly PlanDevice[]): readonly PlanDevice[] {
  const there = devices.filter(({ isRetired }) => !isRetired);
  return there.length > 0 ? there : devices;
}

const hasToldPlan = ({ reported }: PlanDevice): boolean => reported.has('Setting/WorkMode');

/**
 * Which devices of a plant take its plan. An EMS directs all inverters, so none of them is written beside it. Without one it is the inverters that have
 * told a work mode, or all where a battery is there and none has told its settings yet.
 */
export function takersOf(devices: readonly PlanDevice[]): Takers {
  const ofKind = (kind: PlanDevice['kind']) => stillThere(devices.filter((device) => device.kind === kind));
  const [emsUnits, inverters, batteries] = [ofKind('ems'), ofKind('inverter'), ofKind('battery')];
  const takers = () => {
    if (batteries.length === 0 && ![...emsUnits, ...inverters].some(hasToldPlan)) return [];
    if (emsUnits.length > 0) return emsUnits;
    const told = inverters.filter(hasToldPlan);
    return told.length > 0 ? told : inverters;
  };
  return { devices: takers(), batteries, inverters };
}

/** What all have together; null where there is none, or one of them is not known: without it the sum would be too small. */
const sumOf = (values: readonly (number | null | undefined)[]): number | null =>
  values.length === 0
    ? null
    : values.reduce<number | null>((all, each) => (all === null || each == null ? null : all + each), 0);

/** What is known of the battery of a plant without its record; a limit of several inverters is that of all. */
export function knownStorage({ devices, batteries, inverters }: Takers) {
  const limitOf = (name: 'Setting/ChargePower' | 'Setting/DischargePower') =>
    sumOf(
      devices.map(({ reported }) => {
        const told = reported.get(name);
        return typeof told === 'number' ? told : null;
      }),
    );
  const ratedAcW = sumOf(inverters.map(({ ratedPowerW }) => ratedPowerW)) ?? 0;
  return {
    capacityWh: sumOf(batteries.map(({ capacityWh }) => capacityWh)) ?? 0,
    maxChargeW: limitOf('Setting/ChargePower'),
    maxDischargeW: limitOf('Setting/DischargePower'),
    ratedAcW: ratedAcW > 0 ? ratedAcW : Number.POSITIVE_INFINITY,
  };
}
