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
