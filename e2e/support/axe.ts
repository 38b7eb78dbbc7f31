import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Waits until colours and places that are on their way are there: midway they say nothing of what people see. */
const untilStill = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const ending = document
      .getAnimations()
      .filter((each) => each.playState === 'running' && Number.isFinite(each.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });

/** Violations on the page, of all rules or of some, one line each: rule, element, what to change. Empty when there is none. */
export async function axeViolations(page: Page, name: string, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  await untilStill(page);
  const violations = await page.evaluate(async (only) => {
    const { axe: tool } = globalThis as unknown as { axe: typeof axe };
    const found = await tool.run(document, {
      resultTypes: ['violations'],
      preload: false,
      ...(only && { runOnly: [...only] }),
    });
    return found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 4).map(({ target, failureSummary }) => `${target.join(' ')} — ${failureSummary ?? ''}`),
      count: nodes.length,
    }));
  }, rules);
  return violations.map(({ id, help, nodes, count }) =>
    [`${name}: ${id} (${count}): ${help}`, ...nodes.map((node) => node.replaceAll(/\s+/g, ' '))].join('\n    '),
  );
}
