/** The rules were made with 1 to 50, 1000 to 1039 and 2001 to 2050 in view: they are measured on others, which nobody looks at to change a rule. */
export const FIRST_MEASURED_SEED = 5001;
export const MEASURED_RUNS = 50;

export const seedsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => first + at);
