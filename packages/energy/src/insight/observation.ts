import type { PlaneFit } from './string-planes.ts';

/** What a day teaches of a plant: made by `dayInsight`, remembered by `updatedProfile`. */
export interface DayObservation {
  dayMs: number;
  /** Actual over expected (without level) energy, of the buckets without any other reason; null = too little known. */
  ratio: number | null;
  /** Of the clear sky's energy, what the light of the day allowed; not there in what was observed before it was noted. */
  lightShare?: number | null;
  /** Actual over expected by hour of the sun, only of clear hours with a high enough sun; NaN-free: null = not known. */
  hourRatios: (number | null)[];
  isSnow: boolean;
  /** Part of each string in the energy of all strings that were known; empty where any was weak. */
  stringParts: Record<string, number>;
  /** Of these, how each would lie in the planes of the plant; what was observed before that was noted has none. */
  stringPlanes?: Record<string, PlaneFit[]>;
  /** Whether there were hours of sun among the buckets of which that was noted. */
  isSunny?: boolean;
}
