import * as z from 'zod/mini';

/** Named state of a site or device; `alarm` and `fault` are both code 2 (abnormal). */
export const state = z.enum(['normal', 'alarm', 'fault', 'offline']);
export type State = z.infer<typeof state>;

/** Any of some states. */
export const states = z.array(state).check(z.minLength(1), z.maxLength(state.options.length));

/** What somebody should look at. */
export const troubled: readonly State[] = state.options.filter((each) => each !== 'normal');

/** Device status code of the specification, section 4: 1 normal, 2 abnormal, any other offline. */
export const statusCode = z.union([z.literal(1), z.literal(2), z.literal(3)]);

export const statusCodeOf = (name: State): 1 | 2 | 3 => (name === 'normal' ? 1 : name === 'offline' ? 3 : 2);

/** Status of a battery of the specification, section 4. */
export const batteryStatus = z.enum(['charging', 'normal', 'idle']);
export type BatteryStatus = z.infer<typeof batteryStatus>;

/** By the numbers of `Bat/State` in the catalogue of points. */
export const batteryStatusOfState: Readonly<Record<number, BatteryStatus>> = { 1: 'charging', 2: 'normal', 3: 'idle' };

/** What a battery does: as it says itself, else by its power, W, which is positive while it discharges. */
export function batteryStatusOf(toldState: number | null, powerW: number | null): BatteryStatus {
  const told = toldState === null ? undefined : batteryStatusOfState[toldState];
  if (told !== undefined) return told;
  if (powerW === null || powerW === 0) return 'idle';
  return powerW < 0 ? 'charging' : 'normal';
}

/** The number by which calls of this API family tell it. */
export const batteryStatusCodes: Readonly<Record<BatteryStatus, 0 | 1 | 2>> = { idle: 0, normal: 1, charging: 2 };

/** How a figure came about. */
export const quality = z.enum(['measured', 'estimated', 'corrected']);
export type Quality = z.infer<typeof quality>;

export const counts = z.object({
  total: z.int(),
  normal: z.int(),
  abnormal: z.int(),
  alarm: z.int(),
  fault: z.int(),
  offline: z.int(),
});
