/** Contrast that texts need against what they stand on (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5;
/** Contrast of signs and lines (1.4.11). */
const LEAST_OF_SIGNS = 3;

/** Surfaces of the portal on which a brand's colour stands: page, panel and card. */
const light = { surfaces: ['#f4f6f9', '#ffffff'], ink: '#ffffff' } as const;
const dark = { surfaces: ['#0a0f16', '#151d28'], ink: '#06181a' } as const;

type Rgb = readonly [number, number, number];

const rgbOf = (colour: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as never;

const hexOf = (rgb: Rgb): string =>
  `#${rgb
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

function luminance(colour: string): number {
  const [red, green, blue] = rgbOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as never as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The least contrast of a colour with some others. */
const leastOf = (colour: string, others: readonly string[]): number =>
  Math.min(...others.map((other) => contrast(colour, other)));

/** A share of a colour, the rest of another. */
function mixed(colour: string, other: string, share: number): string {
  const [a, b] = [rgbOf(colour), rgbOf(other)];
  return hexOf([0, 1, 2].map((at) => (a[at] ?? 0) * share + (b[at] ?? 0) * (1 - share)) as never);
}

const STEPS = 100;

/** The shade of a colour that is nearest to it and stands out from all of these: itself, or as much darker or lighter as it takes. */
function readable(colour: string, towards: string, on: readonly string[], least: number): string {
  for (let step = STEPS; step > 0; step -= 1) {
    const shade = mixed(colour, towards, step / STEPS);
    if (leastOf(shade, on) >= least) return shade;
  }
  return towards;
}

/** A colour in one scheme, by what it is for; each as in the tokens of the web app. */
export interface Shades {
  readonly brand: string;
  readonly text: string;
  readonly soft: string;
  readonly solid: string;
  readonly on: string;
}

export interface BrandColours {
  readonly light: Shades;
  readonly dark: Shades;
  /** Behind the white words of the sign-in page, from its upper to its lower end. */
  readonly deep: string;
  readonly mid: string;
}

/** What the portal makes of a brand's colour: the colour itself where it can be read, the nearest readable shade where not. */
export function coloursOf(colour: string): BrandColours {
  const softLight = mixed(colour, '#ffffff', 0.1);
  const softDark = mixed(colour, '#0a0f16', 0.14);
  const onLight = [...light.surfaces, softLight];
  const onDark = [...dark.surfaces, softDark];
  const lightSolid = readable(colour, '#000000', [...light.surfaces, light.ink], LEAST_CONTRAST);
  const darkSolid = readable(colour, '#ffffff', [...dark.surfaces, dark.ink], LEAST_CONTRAST);
  return {
    light: {
      brand: readable(colour, '#000000', light.surfaces, LEAST_OF_SIGNS),
      text: readable(colour, '#000000', onLight, LEAST_CONTRAST),
      soft: softLight,
      solid: lightSolid,
      on: light.ink,
    },
    dark: {
      brand: readable(colour, '#ffffff', dark.surfaces, LEAST_OF_SIGNS),
      text: readable(colour, '#ffffff', onDark, LEAST_CONTRAST),
      soft: softDark,
      solid: darkSolid,
      on: dark.ink,
    },
    deep: readable(mixed(colour, '#000000', 0.55), '#000000', ['#ffffff'], 9),
    mid: readable(colour, '#000000', ['#ffffff'], 6),
  };
}

/** How a colour as it was chosen stands out from the light and the dark surfaces, and what is shown instead where it does not. */
export function judged(colour: string): Readonly<Record<'light' | 'dark', { contrast: number; shown: string }>> {
  const { light: onLight, dark: onDark } = coloursOf(colour);
  return {
    light: { contrast: leastOf(colour, light.surfaces), shown: onLight.text },
    dark: { contrast: leastOf(colour, dark.surfaces), shown: onDark.text },
  };
}

/** The colours as declarations of the web app's tokens. */
export function tokensOf({ light: day, dark: night, deep, mid }: BrandColours): Readonly<Record<string, string>> {
  const both = (name: keyof Shades) => `light-dark(${day[name]},${night[name]})`;
  return {
    '--brand': both('brand'),
    '--brand-text': both('text'),
    '--brand-soft': both('soft'),
    '--brand-solid': both('solid'),
    '--on-brand': both('on'),
    '--entry-deep': deep,
    '--entry-mid': mid,
    '--entry-end': mid,
  };
}
