import type { CalendarDayFigures } from '@sonnenwarte/contract/sites/site-calendar';

export const calendarFigures = ['yield', 'autarky', 'money'] as const;
export type CalendarFigure = (typeof calendarFigures)[number];

/** Ground and ink of the five steps of a figure, in light and in dark. */
interface Step {
  readonly light: readonly [ground: string, ink: string];
  readonly dark: readonly [ground: string, ink: string];
}

export const ramps: Readonly<Record<CalendarFigure, readonly Step[]>> = {
  yield: [
    { light: ['#fdf3e0', '#3b2500'], dark: ['#2a2010', '#f5e6cc'] },
    { light: ['#fbdfae', '#3b2500'], dark: ['#4a3510', '#fbe9c8'] },
    { light: ['#f4c06c', '#3b2500'], dark: ['#74500f', '#fff3dc'] },
    { light: ['#e59a23', '#2b1a00'], dark: ['#b57a14', '#160e00'] },
    { light: ['#a86200', '#ffffff'], dark: ['#f0a93a', '#160e00'] },
  ],
  autarky: [
    { light: ['#e3f5ec', '#06301f'], dark: ['#10261c', '#d6f2e4'] },
    { light: ['#b5e3cc', '#06301f'], dark: ['#164630', '#dff7ea'] },
    { light: ['#74c9a3', '#06301f'], dark: ['#1d6a49', '#effcf5'] },
    { light: ['#2fa674', '#04130c'], dark: ['#34a877', '#03110a'] },
    { light: ['#0b6b45', '#ffffff'], dark: ['#6fd6aa', '#03110a'] },
  ],
  money: [
    { light: ['#e4f1f3', '#06303a'], dark: ['#0f2428', '#d5eef2'] },
    { light: ['#b9dee3', '#06303a'], dark: ['#154349', '#e0f5f8'] },
    { light: ['#7cc2cb', '#06303a'], dark: ['#1c666f', '#effbfd'] },
    { light: ['#3a9daa', '#031318'], dark: ['#36a5b3', '#021012'] },
    { light: ['#0b6673', '#ffffff'], dark: ['#73d2de', '#021012'] },
  ],
};

/** The ground and ink of a step, as CSS that follows light and dark. */
export function coloursOf(figure: CalendarFigure, step: number): { background: string; color: string } | undefined {
  const colours = ramps[figure][step];
  return (
    colours && {
      background: `light-dark(${colours.light[0]}, ${colours.dark[0]})`,
      color: `light-dark(${colours.light[1]}, ${colours.dark[1]})`,
    }
  );
}

type Shown = Pick<CalendarDayFigures, 'generationWh' | 'selfSufficiencyPercent' | 'money'>;

/** The value by which a day is coloured; null where it is not known. */
export function figureValue(
  figure: CalendarFigure,
  { generationWh, selfSufficiencyPercent, money }: Shown,
): number | null {
  if (figure === 'yield') return generationWh;
  if (figure === 'autarky') return selfSufficiencyPercent;
  return money === null ? null : Number(money);
}

const ROUND = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** Of the days of a year as many may lie above the last step's middle that one outlier moves no limit. */
const HIGH_SHARE = 0.95;

/** The four limits between five steps, round and such that the days of a year fill them; a share in percent has fixed ones. */
export function limitsOf(figure: CalendarFigure, values: readonly number[]): number[] {
  if (figure === 'autarky') return [20, 40, 60, 80];
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => a - b);
  const high = sorted[Math.floor(HIGH_SHARE * (sorted.length - 1))] ?? 1;
  const raw = high / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = (ROUND.find((factor) => factor * power >= raw - 1e-9) ?? 10) * power;
  return [1, 2, 3, 4].map((times) => times * step);
}

export const stepOf = (value: number, limits: readonly number[]): number =>
  limits.filter((limit) => value >= limit).length;
