import type { ShownCurve } from './use-analysis.ts';

/** What a variable is of has everywhere in the portal the same colour. */
const families = [
  { of: /^(DC\/|Energy\/Pv|Ems\/PlantPv$)/, colour: 'pv' },
  { of: /^(Bat\/|Ems\/PlantBattery$)/, colour: 'battery' },
  { of: /^(Meter\/|AC\/|Energy\/Ac|Ems\/PlantGrid$)/, colour: 'grid' },
  { of: /^(Load\/|Eps\/|Energy\/Load|Ems\/PlantLoad$)/, colour: 'load' },
  { of: /^Pile\//, colour: 'charger' },
  { of: /^ExtGen\//, colour: 'external' },
] as const;
/** For what is of none of them, and for a second curve of one. */
const others = ['brand', 'charger', 'ink', 'external', 'load', 'grid', 'battery', 'pv'] as const;
type Colour = (typeof others)[number];

const dashes = [[], [6, 3], [2, 3], [10, 3, 2, 3], [1, 3], [6, 3, 1, 3, 1, 3]] as const;

/** How a curve is drawn: within a lane curves differ by their dashes as well as by their colours. */
export interface CurveLook {
  /** CSS colour. */
  readonly colour: string;
  readonly dash: readonly number[];
}

type Looked = Pick<ShownCurve, 'key' | 'unit'> & { readonly name: Pick<ShownCurve['name'], 'variable'> };

export function looksOf(curves: readonly Looked[]): ReadonlyMap<string, CurveLook> {
  const firsts = new Map<Colour, string>();
  for (const { key, name } of curves) {
    const family = families.find(({ of }) => of.test(name.variable));
    if (family !== undefined && !firsts.has(family.colour)) firsts.set(family.colour, key);
  }
  const own = new Map([...firsts].map(([colour, key]) => [key, colour]));
  const free = [...others.filter((colour) => !firsts.has(colour)), ...firsts.keys()];
  const inLane = new Map<string, number>();
  let taken = 0;
  return new Map(
    curves.map(({ key, unit }) => {
      const among = inLane.get(unit) ?? 0;
      inLane.set(unit, among + 1);
      const colour = own.get(key) ?? free[taken++ % free.length] ?? 'brand';
      return [key, { colour: `var(--${colour})`, dash: dashes[among % dashes.length] ?? [] }];
    }),
  );
}

/** Dots of what is compared with. */
export const COMPARED_DASH: readonly number[] = [3, 3];
