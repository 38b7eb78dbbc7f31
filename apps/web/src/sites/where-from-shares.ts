import type { WhereFrom } from '@sonnenwarte/contract/sites/site-where-from';

/** What the parts of a destination have in common with those of a quarter hour and of a session. */
export type Parts = Pick<WhereFrom, 'pvWh' | 'externalWh' | 'batteryWh' | 'gridWh' | 'undividedWh'>;

export const origins = ['pv', 'external', 'battery', 'grid', 'undivided'] as const;
export type OriginName = (typeof origins)[number];

export const toneOf: Readonly<Record<OriginName, string>> = {
  pv: 'pv',
  external: 'external',
  battery: 'battery',
  grid: 'grid',
  undivided: 'off',
};

/** The text that names an origin. */
export const nameOf = <O extends OriginName>(origin: O) =>
  origin === 'pv' ? ('sites.from.sunName' as const) : (`charts.part.${origin as Exclude<O, 'pv'>}` as const);

export const partOf = (parts: Parts, origin: OriginName): number => parts[`${origin}Wh`];

/** What rounds to nothing is not drawn as something. */
const NOISE_WH = 0.5;

/** The origins that a table has: those that the plant tells, and any that gave something. */
export const shownOrigins = (parts: Parts, tells: { external: boolean; battery: boolean }): OriginName[] =>
  origins.filter((origin) => {
    if (origin === 'pv' || origin === 'grid') return true;
    if (partOf(parts, origin) >= NOISE_WH) return true;
    return origin !== 'undivided' && tells[origin];
  });

/** Whole percent that add up to 100, the largest remainders rounded up; all 0 where there is nothing to share. */
export function sharesOf(values: readonly number[]): number[] {
  const sum = values.reduce((all, value) => all + value, 0);
  if (sum <= 0) return values.map(() => 0);
  const exact = values.map((value) => (100 * value) / sum);
  const shares = exact.map(Math.floor);
  const lacking = 100 - shares.reduce((all, share) => all + share, 0);
  const nearest = exact
    .map((value, place) => ({ place, rest: value - Math.floor(value) }))
    .toSorted((a, b) => b.rest - a.rest)
    .slice(0, lacking);
  for (const { place } of nearest) shares[place] = (shares[place] ?? 0) + 1;
  return shares;
}

export interface Band {
  readonly origin: OriginName;
  /** Top edge and thickness where it begins and where it ends, px. */
  readonly fromY: number;
  readonly toY: number;
  readonly height: number;
}

/** Bands to one scale: apart on the left, together on the right; what is thinner than a hair is a hair. */
export function bandsOf(
  parts: Parts,
  shown: readonly OriginName[],
  { heightPx, gapPx, leastRoomPx }: { heightPx: number; gapPx: number; leastRoomPx: number },
): { bands: Band[]; totalPx: number; leftPx: number } {
  const drawn = shown.filter((origin) => partOf(parts, origin) >= NOISE_WH);
  const sum = drawn.reduce((all, origin) => all + partOf(parts, origin), 0);
  const pxPerWh = sum > 0 ? heightPx / sum : 0;
  const bands: Band[] = [];
  let leftY = 0;
  let rightY = 0;
  for (const origin of drawn) {
    const height = Math.max(1, partOf(parts, origin) * pxPerWh);
    const room = Math.max(height, leastRoomPx);
    bands.push({ origin, fromY: leftY + (room - height) / 2, toY: rightY, height });
    leftY += room + gapPx;
    rightY += height;
  }
  return { bands, totalPx: rightY, leftPx: Math.max(0, leftY - gapPx) };
}
