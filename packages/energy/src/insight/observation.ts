/** What a day teaches of a plant: made by `dayInsight`, remembered by `updatedProfile`. */
export interface DayObservation {
  dayMs: number;
  /** Actual over expected (without level) energy, of the buckets without any other reason; null = too little known. */
  ratio: number | null;
  /** The same by hour of the sun, only of clear hours with a high enough sun; NaN-free: null = not known. */
  hourRatios: (number | null)[];
  isSnow: boolean;
  /** Part of each string in the energy of all strings that were known; empty where any was weak. */
  stringParts: Record<string, number>;
}
