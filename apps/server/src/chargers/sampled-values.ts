import type { PileReading } from './pile-events.ts';
import { listOf, numberOf, readingsOf, registerOf, type Told, textOf, timeOf, toldOf } from './told-fields.ts';

/** One value of a reading, in the base unit: W, Wh, A, V, %. */
interface Sampled {
  measurand: string;
  phase: string;
  value: number;
}

const thousands = new Set(['kWh', 'kW', 'kVA', 'kvar']);
/** One message tells of one session. Each of its days is stored by itself: with years of them it would not be answered in time. */
const LONGEST_TOLD_MS = 31 * 86_400_000;
/** Beyond these no quantity of a pile can be meant. */
const LARGEST_W = 1e6;
const LARGEST_V = 2_000;
const LARGEST_A = 2_000;

function sampledOf(told: Told): Sampled | undefined {
  if (told.format === 'SignedData') return undefined;
  // What the vehicle or the grid side of the pile measures is not what goes into the vehicle.
  const location = textOf(told.location, 16);
  const measurand = textOf(told.measurand, 64) || 'Energy.Active.Import.Register';
  if (location !== '' && location !== 'Outlet' && measurand !== 'SoC') return undefined;
  const value = numberOf(told.value);
  if (value === undefined) return undefined;
  // OCPP 1.6 has the unit as a text, 2.0.1 as an object with a power of ten.
  const { unit = told.unit, multiplier = 0 } = toldOf(told.unitOfMeasure);
  const scale = 10 ** Math.max(-9, Math.min(9, numberOf(multiplier) ?? 0)) * (thousands.has(String(unit)) ? 1_000 : 1);
  return { measurand, phase: textOf(told.phase, 8), value: value * scale };
}

/** The values of the phases where there is no whole: of L1, or L1-N, but not between two phases. */
function partsOf(values: readonly Sampled[], measurand: string): { whole: number | undefined; phases: number[] } {
  const ofIt = values.filter((each) => each.measurand === measurand);
  return {
    whole: ofIt.find(({ phase }) => phase === '')?.value,
    phases: ofIt.filter(({ phase }) => /^L[123](?:-N)?$/.test(phase)).map(({ value }) => value),
  };
}

function summed(values: readonly Sampled[], measurand: string): number | undefined {
  const { whole, phases } = partsOf(values, measurand);
  return whole ?? (phases.length === 0 ? undefined : phases.reduce((sum, value) => sum + value, 0));
}

function greatest(values: readonly Sampled[], measurand: string): number | undefined {
  const { whole, phases } = partsOf(values, measurand);
  return whole ?? (phases.length === 0 ? undefined : Math.max(...phases));
}

/** W by current and voltage of each phase, for those that tell no power. */
function powerOfPhases(values: readonly Sampled[], voltageV: number | undefined): number | undefined {
  const { whole, phases } = partsOf(values, 'Current.Import');
  if (voltageV === undefined || (whole === undefined && phases.length === 0)) return undefined;
  return voltageV * (phases.length > 0 ? phases.reduce((sum, value) => sum + value, 0) : (whole ?? 0));
}

const within = (value: number | undefined, largest: number): number | undefined =>
  value !== undefined && Math.abs(value) <= largest ? value : undefined;

function readingOf(told: Told, nowMs: number): PileReading | undefined {
  const values = listOf(told.sampledValue).flatMap((each) => sampledOf(each) ?? []);
  if (values.length === 0) return undefined;
  const { phases: voltages, whole } = partsOf(values, 'Voltage');
  const meanV = voltages.length === 0 ? undefined : voltages.reduce((sum, v) => sum + v, 0) / voltages.length;
  const voltageV = within(whole ?? meanV, LARGEST_V);
  const powerW = within(summed(values, 'Power.Active.Import') ?? powerOfPhases(values, voltageV), LARGEST_W);
  const currentA = within(greatest(values, 'Current.Import'), LARGEST_A);
  const offeredA = within(greatest(values, 'Current.Offered'), LARGEST_A);
  const energyWh = registerOf(summed(values, 'Energy.Active.Import.Register'));
  const socPercent = greatest(values, 'SoC');
  return {
    tsMs: timeOf(told.timestamp, nowMs),
    ...(powerW !== undefined && { powerW }),
    ...(voltageV !== undefined && { voltageV }),
    ...(currentA !== undefined && { currentA }),
    ...(offeredA !== undefined && { offeredA }),
    ...(energyWh !== undefined && { energyWh }),
    ...(socPercent !== undefined && socPercent >= 0 && socPercent <= 100 && { socPercent }),
  };
}

/** The readings of a list of meter values, the oldest first; both versions of OCPP put them nearly alike. */
export function meterValuesOf(value: unknown, nowMs: number): PileReading[] {
  const readings = readingsOf(value)
    .flatMap((told) => readingOf(told, nowMs) ?? [])
    .sort((a, b) => a.tsMs - b.tsMs);
  const newestMs = readings.at(-1)?.tsMs ?? 0;
  return readings.filter(({ tsMs }) => tsMs > newestMs - LONGEST_TOLD_MS);
}
