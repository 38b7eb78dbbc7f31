import type { DayObservation } from './observation.ts';
import type { PlantDay } from './plant-day.ts';
import type { MissingKind, Reason, RuledOut } from './reasons.ts';

/**
 * Expected against actual of a plant on a day. Energies in Wh at the AC bus, over the buckets of the day. `null` = not known;
 * `missing` says for want of what. Plain data but for nothing: all of it can be kept as JSON.
 */
export interface DayInsight {
  dayMs: number;
  /** Where the light is known from; null = not known, and with it nothing that is measured against the weather. */
  source: 'sensor' | 'neighbours' | null;
  /** How many neighbours count, and whether they are near. */
  peers: number;
  basis: 'near' | 'climate' | null;
  /** Under a clear sky, clipped at the rating. */
  clearSkyWh: number | null;
  /** What the inverters could give in the light of the day, in all buckets of the day. */
  expectedWh: number | null;
  /** What the arrays could give if the inverters were large enough. */
  potentialWh: number | null;
  /** What was given in the buckets that were heard. */
  actualWh: number | null;
  /**
   * Potential less actual where that is more than the tolerance, or what the reasons cost; never below 0, never below the sum of
   * the reasons. Buckets that were not heard count as not lost.
   */
  lossWh: number | null;
  /** Of the loss, what no reason explains. */
  unexplainedWh: number | null;
  /** Expected in buckets that were not heard: what nobody knows of. */
  unknownWh: number | null;
  /** Of the loss, what would have replaced bought energy in its bucket; the rest would have been fed in. null where the grid is not known. */
  lossReplacingImportWh: number | null;
  /** IEC 61724-1: yield over the yield that the plane's irradiance would allow at 25 degC, 0-1.2; null without a sensor or neighbours. */
  performanceRatio: number | null;
  /** Actual energy by size, kWh/kWp; null where less than 95 % of the day's light was heard. */
  specificYield: number | null;
  /**
   * IEC 61724-1 / IEC 63019, weighted by expected energy: of what could be given, the part in which every inverter was there to give it (heard and not
   * stopped). null where expected or heard is not known.
   */
  availability: number | null;
  /** Buckets with a known PV power, of those with the sun up; 0-1. */
  completeness: number;
  /** The costliest first; those that cost nothing or nobody knows what after them. */
  reasons: Reason[];
  ruledOut: RuledOut[];
  missing: MissingKind[];
  observation: DayObservation;
}

/** Expected against actual of a plant-day, and why. Pure; no clock, no state beyond the profile that the day brings along. */
export declare function dayInsight(day: PlantDay): DayInsight;
