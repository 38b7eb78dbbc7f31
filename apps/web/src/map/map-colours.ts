import type { State } from '@sonnenwarte/contract/status';
import { resolveColour } from '../charts/chart-colours.ts';

/** Colours of a map as a canvas takes them. */
export interface MapColours {
  readonly land: string;
  readonly border: string;
  readonly ink: string;
  readonly paper: string;
  readonly states: Readonly<Record<State, string>>;
  readonly soft: Readonly<Record<State, string>>;
}

const states = { fault: 'var(--bad)', alarm: 'var(--warn)', offline: 'var(--off)', normal: 'var(--good)' } as const;
const soft = {
  fault: 'var(--bad-soft)',
  alarm: 'var(--warn-soft)',
  offline: 'var(--hover)',
  normal: 'var(--good-soft)',
} as const;

const every = (colour: string): Record<State, string> => ({
  fault: colour,
  alarm: colour,
  offline: colour,
  normal: colour,
});

/** Colours as the theme has them; where the system forces its own, shapes and numbers tell the states apart. */
export function mapColours(host: HTMLElement): MapColours {
  const of = (expression: string) => resolveColour(expression, host);
  if (matchMedia('(forced-colors: active)').matches) {
    const [paper, ink, border] = [of('Canvas'), of('CanvasText'), of('GrayText')];
    return { land: paper, border, ink, paper, states: every(ink), soft: every(paper) };
  }
  const all = (named: Readonly<Record<State, string>>): Record<State, string> => ({
    fault: of(named.fault),
    alarm: of(named.alarm),
    offline: of(named.offline),
    normal: of(named.normal),
  });
  return {
    land: of('var(--panel)'),
    border: of('var(--line-strong)'),
    ink: of('var(--ink)'),
    paper: of('var(--panel)'),
    states: all(states),
    soft: all(soft),
  };
}
