import type { Page } from 'playwright-core';
import { textOf } from './texts.ts';

export interface ShownPower {
  kW: number;
  activity: string;
}

const nodes = ['pv', 'battery', 'external', 'inverter', 'gateway', 'grid', 'load', 'charger'] as const;
export type ShownNode = (typeof nodes)[number];

/** What the flow says to who cannot see it: each node with its power (English). */
export async function shownFlow(page: Page): Promise<Map<ShownNode, ShownPower>> {
  const group = page.getByRole('group', { name: textOf('flow.title', 'en') });
  const id = await group.getAttribute('aria-describedby');
  const summary = (await page.locator(`[id="${id}"]`).textContent()) ?? '';
  const found = new Map<ShownNode, ShownPower>();
  for (const node of nodes) {
    const name = textOf(`flow.node.${node}`, 'en');
    const said = new RegExp(`(?:^|\\. )${name}[^:.]*: ([\\d.,]+) ([kM])W, ([^.(]+)`).exec(summary);
    if (!said) continue;
    const [, amount = '', prefix, activity = ''] = said;
    found.set(node, {
      kW: Number(amount.replaceAll(',', '')) * (prefix === 'M' ? 1000 : 1),
      activity: activity.trim(),
    });
  }
  return found;
}

const against: Readonly<Record<string, readonly string[]>> = {
  battery: [textOf('flow.activity.charging', 'en')],
  grid: [textOf('flow.activity.exporting', 'en')],
  inverter: [textOf('flow.activity.drawing', 'en')],
};

/** Signed power of a node in kW: battery + discharging, grid + importing, inverter + supplying; 0 where there is none. */
export function signedKw(flow: ReadonlyMap<ShownNode, ShownPower>, node: ShownNode): number {
  const shown = flow.get(node);
  if (!shown) return 0;
  // How full a battery is stands before what it does.
  const words = shown.activity.split(' · ');
  return against[node]?.some((word) => words.includes(word)) ? -shown.kW : shown.kW;
}
