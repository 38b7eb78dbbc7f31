import { expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { waitUntilFresh } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);

test.each(['desktop', 'phone'] as const)(
  'a plant is told on a %s in sentences whose numbers say what they mean, of a day, a week and a month',
  async (size) => {
    const { stationID } = await waitUntilFresh('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en', size });
    await visit(page, `/bus/plant/detail?id=${stationID}`);
    await page.locator('[data-section=energy]').scrollIntoViewIfNeeded();
    const panel = page.getByRole('region', { name: text('story.title'), exact: true });
    await panel.scrollIntoViewIfNeeded();
    for (const span of ['week', 'month', 'day'] as const) {
      await panel.getByRole('radio', { name: text(`story.spans.${span}`) }).check({ force: true });
      await panel
        .getByText(/\.\s*$/)
        .first()
        .waitFor();
      expect(await axeViolations(page, 'story')).toEqual([]);
    }
    await panel.getByRole('radio', { name: text('story.spans.week') }).check({ force: true });
    const figure = panel.getByRole('button').first();
    await figure.focus();
    await page.getByRole('tooltip').filter({ visible: true }).waitFor();
  },
);
