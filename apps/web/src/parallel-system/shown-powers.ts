/** Powers are shown in hundredths of a kW. */
export const W_PER_STEP = 10;

/** Powers in hundredths of a kW, rounded so that they add up to their rounded sum; the largest remainders are rounded up. */
export function shownPowers(powersW: readonly (number | null)[]): (number | null)[] {
  const exact = powersW.map((powerW) => (powerW === null ? null : powerW / W_PER_STEP));
  const floors = exact.map((value) => (value === null ? null : Math.floor(value)));
  const sum = Math.round(exact.reduce<number>((all, value) => all + (value ?? 0), 0));
  const missing = sum - floors.reduce<number>((all, value) => all + (value ?? 0), 0);
  const upwards = exact
    .flatMap((value, index) => (value === null ? [] : [{ index, rest: value - Math.floor(value) }]))
    .sort((a, b) => b.rest - a.rest)
    .slice(0, missing);
  for (const { index } of upwards) floors[index] = (floors[index] ?? 0) + 1;
  return floors;
}
