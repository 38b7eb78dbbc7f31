import { deviceKind } from '../devices/device.ts';
import type { Level } from '../levels.ts';

/** Who keeps what left the factory. */
export const factoryKeepers = [255] as const satisfies readonly Level[];

/** What a batch can be of: devices of a kind, or dataloggers. */
export const unitKinds = [...deviceKind.options, 'logger'] as const;
export type UnitKind = (typeof unitKinds)[number];

/** Rows of a list are counted up to this many; a list of more says so. */
export const MOST_UNITS_COUNTED = 10_000;
