import type { DispatchReason } from '@sonnenwarte/contract/ems/ems';
import { dividedLimits, type LimitedUnit } from '@sonnenwarte/energy/grid-limit/grid-limit';
import type { GridDevice } from './ems.store.ts';
import { GridHistory } from './grid-history.ts';

/** Values that are older say nothing of now. */
export const OLDEST_GRID_MS = 75_000;

export interface Told {
  readonly device: GridDevice;
  readonly fromPercent: number | null;
  readonly toPercent: number;
}

export interface GridStep {
  readonly reason: DispatchReason;
  readonly gridW: number | null;
  readonly capW: number | null;
  readonly told: readonly Told[];
}

/** What an inverter may give at most, in percent of its rating, whatever the portal controls. */
const ownPercentOf = ({ ownPercent }: GridDevice): number => Math.min(100, Math.max(0, ownPercent ?? 100));

/** Inverters that can be limited: they are heard, what they can give is known, and nobody else has them give nothing. */
export const limitable = (devices: readonly GridDevice[]): GridDevice[] =>
  devices.filter(
    (device) =>
      device.kind === 'inverter' && (device.ratedW ?? 0) > 0 && ownPercentOf(device) > 0 && device.state !== 'offline',
  );

/** Meters that measure something else than what is sold and bought; one whose role is not known measures that. */
const notOfGrid: ReadonlySet<string> = new Set(['pv', 'load', 'generator']);

/** A meter that has been silent for so long while another one tells was replaced by that. */
const REPLACED_AFTER_MS = 24 * 3_600_000;

/** When the grid power of a plant was measured: by its grid meters, or else by what tells of the plant. */
export function measuredMs(devices: readonly GridDevice[], plantMs: number | null): number | null {
  const told = devices.flatMap(({ kind, role, tsMs }) =>
    kind === 'meter' && !notOfGrid.has(role) && tsMs !== null ? [tsMs] : [],
  );
  if (told.length === 0) return plantMs;
  const newest = Math.max(...told);
  return Math.min(...told.filter((tsMs) => newest - tsMs < REPLACED_AFTER_MS));
}

/** Orders and inverters take so long beside what is told, s. */
const FOLLOWS_WITHIN_S = 10;

/** How often the slowest of what tells of a grid point and its inverters does, and how soon the portal holds a limit with that. */
export function reportsOf(devices: readonly GridDevice[]): { everyS: number; holdsWithinS: number | null } | null {
  const telling = devices.filter(({ kind, role }) => kind === 'inverter' || (kind === 'meter' && !notOfGrid.has(role)));
  if (telling.length === 0) return null;
  const everyS = Math.max(...telling.map(({ reportIntervalS }) => reportIntervalS));
  return { everyS, holdsWithinS: everyS * 1_000 > OLDEST_GRID_MS ? null : everyS + FOLLOWS_WITHIN_S };
}

const isOld = (tsMs: number | null, nowMs: number): boolean => tsMs === null || nowMs - tsMs > OLDEST_GRID_MS;

/**
 * What inverters are told next, so that no more is sold than may be. One that has not answered yet counts with the greater of what it said and what it was
 * told; it is told nothing meanwhile. `history` is what was told at the plant until now.
 */
export function nextStep(
  grid: { gridW: number | null; measuredMs: number | null },
  devices: readonly GridDevice[],
  exportLimitW: number,
  nowMs: number,
  history = new GridHistory(),
): GridStep {
  const units = limitable(devices);
  // What an inverter gave a while ago and what is sold now are not of one moment: their sum would be no output.
  const isMixed = units.some(({ powerW, tsMs }) => (powerW ?? 0) > 0 && isOld(tsMs, nowMs));
  const isKnown = grid.gridW !== null && !isOld(grid.measuredMs, nowMs) && !isMixed;
  const gridW = isKnown ? grid.gridW : null;
  const limited = units.map((device): LimitedUnit => {
    const ratedW = device.ratedW ?? 0;
    const own = ownPercentOf(device);
    const inForce = Math.max(device.limitPercent ?? 100, device.pendingPercent ?? 0);
    return {
      id: device.id,
      ratedW: (own * ratedW) / 100,
      outputW: device.powerW ?? 0,
      limitW: inForce >= own ? null : (inForce * ratedW) / 100,
      stepW: ratedW / 100,
    };
  });
  const inForceW = limited.reduce((sum, { limitW, ratedW }) => sum + (limitW ?? ratedW), 0);
  const load = history.seen(grid, units, { exportLimitW, inForceW }, nowMs);
  const { reason, capW, limits } = dividedLimits(
    { gridW: gridW ?? undefined, exportLimitW, ...(load && { load }) },
    limited,
  );
  if (reason === 'held') return { reason: 'free', gridW, capW, told: [] };
  return {
    reason,
    gridW,
    capW,
    told: units.flatMap((device): Told[] => {
      const limitW = limits.get(device.id) ?? null;
      const own = ownPercentOf(device);
      const toPercent = limitW === null ? own : Math.min(own, Math.round((100 * limitW) / (device.ratedW ?? 1)));
      const isSame = toPercent === (device.limitPercent ?? 100);
      return device.pendingPercent !== null || isSame ? [] : [{ device, fromPercent: device.limitPercent, toPercent }];
    }),
  };
}

/** Nobody holds a limit any more: every inverter may give what it can, or what somebody had set. */
export const releasing = (devices: readonly GridDevice[]): GridStep => ({
  reason: 'released',
  gridW: null,
  capW: null,
  told: devices
    .filter(
      (device) =>
        device.kind === 'inverter' &&
        Math.min(device.limitPercent ?? 100, device.pendingPercent ?? 100) < ownPercentOf(device),
    )
    .map((device) => ({ device, fromPercent: device.limitPercent, toPercent: ownPercentOf(device) })),
});
