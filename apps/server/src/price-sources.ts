/** In which shapes market prices are told: that of our own, of aWATTar, of the transparency platform of ENTSO-E. */
export const priceShapes = ['own', 'awattar', 'entsoe'] as const;
export type PriceShape = (typeof priceShapes)[number];

/** Where the prices of a zone are read. */
export interface PriceSource {
  /** Of the market, as people call it: `DE-LU`, `AT`. */
  readonly zone: string;
  readonly shape: PriceShape;
  /** It may hold a token: nobody is shown it. */
  readonly url: string;
}

const ENTRY = /^([A-Z0-9][A-Z0-9-]{0,15})=(own|awattar|entsoe):(https?:\/\/\S+)$/;

/**
 * Reads `DE-LU=awattar:https://… AT=own:https://…`, parted by spaces. Throws an error whose message tells which entry is wrong, without its
 * address.
 */
export function priceSourcesOf(text: string): PriceSource[] {
  const sources: PriceSource[] = [];
  for (const entry of text.split(/\s+/)) {
    if (entry === '') continue;
    const [, zone, shape, url = ''] = ENTRY.exec(entry) ?? [];
    if (zone === undefined || shape === undefined || URL.parse(url) === null) {
      const shown = /^[\w-]{0,24}/.exec(entry)?.[0] ?? '';
      throw new Error(
        `the source "${shown}…" must be written as ZONE=SHAPE:https://..., with a shape of ${priceShapes.join(', ')}.`,
      );
    }
    if (sources.some((source) => source.zone === zone)) throw new Error(`the zone ${zone} has two sources.`);
    sources.push({ zone, shape: shape as PriceShape, url });
  }
  return sources;
}
