/** Rounds to decimals, half away from zero; what is none and -0 stay out. */
export function roundedTo(value: number, decimals: number): number {
  if (!Number.isFinite(value)) return value;
  const factor = 10 ** decimals;
  // The last bits of a sum must not decide between two halves.
  const scaled = Math.abs(value) * factor * (1 + Number.EPSILON);
  return (Math.sign(value) * Math.round(scaled)) / factor + 0;
}

/** Takes the noise of binary addition off a figure in W, Wh or percent, far below what is measured. */
export function withoutNoise(value: number): number;
export function withoutNoise(value: number | null): number | null;
export function withoutNoise(value: number | null): number | null {
  return value === null ? null : roundedTo(value, 3);
}

const FEWEST_DIGITS = 6;
const MOST_DIGITS = 9;

/** A float32 by the fewest digits that are it: 50.7 and not 50.70000076293945. Any other number is left as it is. */
export function fewestDigits(value: number): number {
  if (Number.isInteger(value) || Math.fround(value) !== value) return value;
  for (let digits = FEWEST_DIGITS; digits < MOST_DIGITS; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(MOST_DIGITS));
}
