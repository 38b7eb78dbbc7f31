/**
 * The rules were made with 1 to 50, 1000 to 1039, 2001 to 2050, 5001 to 5050 and 6001 to 6050 in view: they are measured on others. Whoever changes
 * a rule for what one of these shows begins anew with seeds that are fresh.
 */
export const FIRST_MEASURED_SEED = 8001;
export const MEASURED_RUNS = 50;

export const seedsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => first + at);
