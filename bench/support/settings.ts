/** With BENCH_SMOKE=1 every benchmark runs with tiny settings, to show that it works; its figures mean nothing. */
export const isSmoke = process.env.BENCH_SMOKE === '1';

/** The setting of a full run, or that of a smoke test. */
export const sized = <T>(full: T, smoke: T): T => (isSmoke ? smoke : full);

/** A number from the environment, else the setting of the run. */
export function setting(name: string, full: number, smoke: number): number {
  const text = process.env[name]?.trim();
  if (text === undefined || text === '') return sized(full, smoke);
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} is "${text}": it must be a number above 0.`);
  return value;
}
