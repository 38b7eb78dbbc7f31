import { coloursOf } from '@sonnenwarte/contract/brands/colours';

export type Tone =
  | 'pv'
  | 'load'
  | 'battery'
  | 'grid'
  | 'brand'
  | 'charger'
  | 'external'
  | 'off'
  | 'good'
  | 'bad'
  | 'muted';

/** The portal's own. */
export const OWN_COLOUR = '#0b6f73';

export const INK = '#101828';
export const MUTED = '#475467';
export const LINE = '#d9e1ea';
export const BAR = '#cc7a00';
export const BAR_ESTIMATED = '#f0c98a';

/** Dark enough for words on white, and for white words on it. */
const fixed: Readonly<Record<Exclude<Tone, 'brand'>, string>> = {
  pv: '#965a00',
  load: '#0b63a8',
  battery: '#0b7a45',
  grid: '#5b3bd1',
  charger: '#a3206f',
  external: '#7a5a12',
  off: '#5c6b7d',
  good: '#0b7a45',
  bad: '#b42318',
  muted: MUTED,
};

export const GROUND = { good: '#e2f4ea', bad: '#fdecea', muted: '#eef2f6' } as const;

/** Colours of words and parts under a brand. */
export const tonesOf = (colour: string): Readonly<Record<Tone, string>> => {
  const { light } = coloursOf(colour === '' ? OWN_COLOUR : colour);
  return { ...fixed, brand: light.text };
};

export const brandLineOf = (colour: string): string => coloursOf(colour === '' ? OWN_COLOUR : colour).light.brand;
