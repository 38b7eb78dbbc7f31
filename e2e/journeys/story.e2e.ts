import { expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { waitUntilFresh } from '../support/demo.ts';
import { openPage } from '../support/page.ts';
import { untilSettled, visit } from '../support/settled.ts';
import { textOf } from '../support/texts.ts';
import { waitUntil } from '../support/wait-until.ts';

const text = (key: string, values?: Record<string, string | number>) => textOf(key, 'en', values);

test.each(['desktop', 'phone'] as const)(
  'a plant is told on a %s in sentences whose numbers say what they mean, of a day, a week and a month',
  async (size) => {
    const { stationID } = await waitUntilFresh('Haus Lindenblick');
    const { page } = await openPage({ user: 'owner', language: 'en', size });
    await visit(page, `/bus/plant/detail?id=${stationID}`);
    const panel = page.getByRole('region', { name: text('story.title'), exact: true });
    const place = page.locator('[data-part=story]');
    await waitUntil('the story stands', async () => {
      await place.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      return panel.isVisible();
    });
    const choose = async (span: 'day' | 'week' | 'month') => {
      await untilSettled(page);
      await panel.getByRole('radio', { name: text(`story.spans.${span}`) }).check();
      await untilSettled(page);
    };
    const answered = Promise.withResolvers<void>();
    await page.route(/\/plant\/story\?.*span=month/, async (route) => {
      await answered.promise;
      await route.continue();
    });
    await panel.locator('p').nth(1).waitFor();
    const day = await panel.locator('p').allInnerTexts();
    await panel.getByRole('radio', { name: text('story.spans.month') }).check();
    await panel.locator('[aria-busy=true]').waitFor();
    expect(await panel.locator('p').allInnerTexts()).toEqual(day);
    answered.resolve();
    for (const span of ['week', 'month', 'day'] as const) {
      await choose(span);
      await panel
        .getByText(/\.\s*$/)
        .first()
        .waitFor();
      expect(await axeViolations(page, 'story')).toEqual([]);
    }
    await choose('week');
    const figure = panel.getByRole('button').first();
    await figure.focus();
    await page.getByRole('tooltip').filter({ visible: true }).waitFor();
  },
);
