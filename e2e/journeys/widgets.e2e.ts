import type { Language } from '@sonnenwarte/contract/languages';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations } from '../support/axe.ts';
import { startBlockPage } from '../support/block-page.ts';
import { openPage, type View } from '../support/page.ts';
import { takeScreenshot } from '../support/screenshot.ts';
import { textOf } from '../support/texts.ts';

let blocks: Awaited<ReturnType<typeof startBlockPage>>;
beforeAll(async () => {
  blocks = await startBlockPage();
});
afterAll(() => blocks?.stop());

const idOf = (count: number): string => `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
const records = ['Amsel', 'Drossel', 'Fink', 'Star', 'Meise', 'Amselweg'].map((name, index) => ({
  id: idOf(index),
  name,
  detail: `Detail ${index}`,
}));

interface Opened {
  page: Page;
  /** What the page asked for and sent, by the last step of the path. */
  calls: { name: string; input: Record<string, unknown> }[];
}

interface Asked {
  search?: string;
  ids?: string[];
}

async function open(view: View = {}, refuse?: object): Promise<Opened> {
  const { page } = await openPage({
    language: 'en',
    ...view,
    url: blocks.url,
    // The browser asks every address for its icon.
    expected: [/status of 404/],
  });
  const calls: Opened['calls'] = [];
  const answer = (route: Route, result: unknown, errno = 0) => route.fulfill({ json: { errno, msg: '', result } });
  await page.route('**/c/v0/blocks/*', async (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const input = route.request().postDataJSON();
    calls.push({ name, input });
    if (name === 'save') return refuse ? answer(route, refuse, 40257) : answer(route, {});
    const { search = '', ids }: Asked = input;
    const found = records.filter((each) =>
      ids ? ids.includes(each.id) : each.name.toLowerCase().includes(search.toLowerCase()),
    );
    await answer(route, { choices: found });
  });
  await page.goto('/');
  await page.getByRole('dialog').waitFor();
  return { page, calls };
}

const sentOf = ({ calls }: Opened) => calls.filter(({ name }) => name === 'save').at(-1)?.input;
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const focused = (page: Page) => page.locator(':focus');
const box = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

/** Fills in all of it with the keyboard, in a language whose days begin with the day. */
async function fillIn(page: Page, digits: { day: string; time: string; power: string }): Promise<void> {
  await group(page, 'Day').getByRole('spinbutton').first().focus();
  await page.keyboard.type(digits.day);
  await group(page, 'Time').getByRole('spinbutton').first().focus();
  await page.keyboard.type(digits.time);
  await page.getByRole('textbox', { name: 'Power' }).fill(digits.power);
  for (const [name, text] of [
    ['Record', 'Fin'],
    ['Records', 'Sta'],
  ] as const) {
    await box(page, name).focus();
    await page.keyboard.type(text);
    await page.getByRole('option').nth(0).waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // What was searched for is found: the list is gone, also where more can be chosen.
    await expect.poll(() => page.getByRole('listbox').count()).toBe(0);
  }
  await page.getByRole('button', { name: 'Add a string' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('South');
  await page.keyboard.press('Tab');
  await page.keyboard.type(digits.power);
}

describe.each([
  ['de', { day: '05112026', time: '0730', power: '0,5' }],
  ['en', { day: '05112026', time: '0730', power: '0.5' }],
  ['zh_CN', { day: '20261105', time: '0730', power: '0.5' }],
] as const satisfies [Language, object][])('in %s', (language, digits) => {
  test('a form is filled in with the keyboard alone, and what is sent is what was meant', async () => {
    const opened = await open({ language });
    await fillIn(opened.page, digits);
    await save(opened.page);
    await expect
      .poll(() => sentOf(opened))
      .toEqual({
        day: '2026-11-05',
        time: '07:30',
        powerW: 0.5,
        record: idOf(2),
        records: [idOf(3)],
        strings: [{ title: 'South', powerW: 0.5 }],
      });
  });
});

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  test.each(['desktop', 'phone'] as const)('every widget is clean to axe on a %s, open and refused', async (size) => {
    const { page } = await open({ scheme, size, language: 'de' });
    const found: string[] = [];
    const look = async (name: string) => {
      await takeScreenshot(page, `widgets-${name}-${scheme}-${size}`);
      found.push(...(await axeViolations(page, name)));
    };
    await page.getByRole('button', { name: 'Add a string' }).click();
    await look('all');
    for (const [name, place] of [
      ['day', group(page, 'Day')],
      ['range', group(page, 'Range')],
    ] as const) {
      await place.getByRole('button', { name: textOf('blocks.openCalendar', 'de') }).click();
      await page.getByRole('grid').waitFor();
      await look(name);
      await page.keyboard.press('Escape');
      await page.getByRole('grid').waitFor({ state: 'detached' });
    }
    for (const name of ['Record', 'Records']) {
      await box(page, name).click();
      await page.getByRole('option').first().waitFor();
      await look(name);
      await page.keyboard.press('Escape');
      await page.getByRole('option').first().waitFor({ state: 'detached' });
    }
    await save(page);
    await page.locator('[aria-invalid="true"]').first().waitFor();
    await look('refused');
    expect(found).toEqual([]);
  });
});

test('what is open stays within the window, above the dialog, and Escape closes it alone', async () => {
  for (const size of ['desktop', 'phone'] as const) {
    const { page } = await open({ size });
    await group(page, 'Day').getByRole('button').click();
    const grid = page.getByRole('grid');
    const { x = -1, y = -1, width = 0, height = 0 } = (await grid.boundingBox()) ?? {};
    const window = page.viewportSize() ?? { width: 0, height: 0 };
    expect(x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height).toBe(true);
    await page.keyboard.press('Escape');
    await grid.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog', { name: 'All of them' }).isVisible()).toBe(true);
    await box(page, 'Record').click();
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog', { name: 'All of them' }).isVisible()).toBe(true);
  }
});

describe('a calendar', () => {
  const day = (page: Page) => focused(page).getAttribute('data-day');

  test('is walked by days, weeks, ends of weeks, months and years, from Monday on', async () => {
    const { page } = await open();
    const first = group(page, 'Day').getByRole('spinbutton').first();
    await first.focus();
    await page.keyboard.type('31012026');
    await group(page, 'Day').getByRole('button').click();
    await page.getByRole('grid').waitFor();
    expect(await page.getByRole('grid').locator('th').first().innerText()).toBe('Mon');
    const walked: (string | null)[] = [];
    for (const key of ['PageDown', 'ArrowRight', 'ArrowUp', 'Home', 'End', 'PageUp', 'Shift+PageDown']) {
      await page.keyboard.press(key);
      walked.push(await day(page));
    }
    expect(walked).toEqual([
      '2026-02-28',
      '2026-03-01',
      '2026-02-22',
      '2026-02-01',
      '2026-02-28',
      '2026-01-28',
      '2027-01-28',
    ]);
    await page.keyboard.press('Enter');
    await page.getByRole('grid').waitFor({ state: 'detached' });
    expect(await group(page, 'Day').getByRole('spinbutton').allInnerTexts()).toEqual(['28', '01', '2027']);
  });

  test('shows the month and year that are chosen, and offers no day beyond what is allowed', async () => {
    const { page } = await open();
    await group(page, 'Day').getByRole('button').click();
    await page.getByRole('combobox', { name: textOf('common.span.year', 'en') }).selectOption('2030');
    await page.getByRole('combobox', { name: textOf('common.span.month', 'en') }).selectOption('12');
    await expect.poll(() => page.getByRole('button', { name: textOf('common.later', 'en') }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: /31 December 2030/ }).click();
    await expect.poll(() => group(page, 'Day').getByRole('spinbutton').allInnerTexts()).toEqual(['31', '12', '2030']);
  });
});

describe('a range of days', () => {
  const range = (page: Page) => page.locator('output').innerText();

  test('is chosen from a calendar, from the ready-made ones, typed, and cleared', async () => {
    const { page } = await open();
    const open_ = () =>
      group(page, 'Range')
        .getByRole('button', { name: textOf('blocks.openCalendar', 'en') })
        .click();
    await open_();
    await page.locator('[data-day="2026-11-10"]').click();
    await page.locator('[data-day="2026-11-12"]').click();
    await expect.poll(() => range(page)).toBe('2026-11-10 2026-11-12');
    for (const [name, days] of [
      ['today', '2026-11-23 2026-11-23'],
      ['week', '2026-11-17 2026-11-23'],
      ['days30', '2026-10-25 2026-11-23'],
      ['month', '2026-11-01 2026-11-23'],
      ['lastMonth', '2026-10-01 2026-10-31'],
    ] as const) {
      await open_();
      await page.getByRole('button', { name: textOf(`blocks.range.${name}`, 'en'), exact: true }).click();
      await expect.poll(() => range(page)).toBe(days);
      await page.getByRole('grid').waitFor({ state: 'detached' });
    }
    await group(page, 'Range')
      .getByRole('button', { name: textOf('common.clear', 'en') })
      .click();
    await expect.poll(() => range(page)).toBe('none');
    await group(page, 'Range').getByRole('spinbutton').first().focus();
    await page.keyboard.type('0111202605112026');
    await expect.poll(() => range(page)).toBe('2026-11-01 2026-11-05');
  });
});

describe('a picker of records', () => {
  test('asks the server for what is typed, once typing pauses, and is announced as required', async () => {
    const { page, calls } = await open();
    expect(await box(page, 'Record').getAttribute('aria-required')).toBe('true');
    expect(calls).toEqual([]);
    await box(page, 'Record').click();
    await expect.poll(() => page.getByRole('option').count()).toBe(records.length);
    // Letter by letter, with no pause between them however busy the machine is.
    await page.evaluate(() => {
      for (const letter of 'amsel') document.execCommand('insertText', false, letter);
    });
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toHaveLength(2);
    await expect.poll(() => calls.map(({ input }) => input.search)).toEqual(['', 'amsel']);
    await page.keyboard.type('xyz');
    await page.getByText('None', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => box(page, 'Record').inputValue()).toBe('');
  });

  test('offers first what was chosen last, and names it wherever it is chosen', async () => {
    const { page } = await open();
    for (const name of ['Star', 'Fink']) {
      await box(page, 'Record').click();
      await page.getByRole('option', { name }).click();
      await expect.poll(() => box(page, 'Record').inputValue()).toBe(name);
    }
    await box(page, 'Records').click();
    await expect
      .poll(() => page.getByRole('option').locator('span:first-child').allInnerTexts())
      .toEqual(['Fink', 'Star', 'Amsel', 'Drossel', 'Meise', 'Amselweg']);
  });

  test('names what was chosen at once and stays closed, also where its first offers do not hold it', async () => {
    const { page } = await open();
    const { promise: isTime, resolve: nameIt } = Promise.withResolvers<void>();
    await page.route('**/c/v0/blocks/*', async (route) => {
      const { search, ids }: Asked = route.request().postDataJSON();
      if (ids) await isTime;
      if (search !== '') return route.fallback();
      await route.fulfill({ json: { errno: 0, msg: '', result: { choices: records.slice(0, 2) } } });
    });
    await box(page, 'Record').click();
    await page.getByRole('option').nth(1).waitFor();
    await page.keyboard.type('Star');
    await page.getByRole('option', { name: 'Star' }).click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await expect.poll(() => box(page, 'Record').inputValue()).toBe('Star');
    const named = page.waitForResponse((response) => 'ids' in (response.request().postDataJSON() ?? {}));
    nameIt();
    await named;
    await page.getByRole('textbox', { name: 'Power' }).click();
    await expect.poll(() => page.getByRole('listbox').count()).toBe(0);
    expect(await box(page, 'Record').inputValue()).toBe('Star');
  });

  test('takes several without closing, and gives each back', async () => {
    const opened = await open();
    const { page } = opened;
    await box(page, 'Records').click();
    await page.getByRole('option', { name: 'Drossel' }).click();
    await page.getByRole('option', { name: 'Meise' }).click();
    await page.getByRole('option', { name: 'Star' }).click();
    await expect.poll(() => page.getByRole('option', { selected: true }).count()).toBe(3);
    await page.getByRole('option', { name: 'Meise' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: textOf('blocks.takeOut', 'en', { name: 'Drossel' }) }).click();
    await expect.poll(() => page.getByRole('listitem').allInnerTexts()).toEqual(['Star']);
  });
});

describe('rows of a list', () => {
  const rows = (page: Page) => page.getByRole('group', { name: /^String \d$/ });
  const titles = (page: Page) =>
    page
      .getByRole('textbox', { name: 'Title' })
      .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
  const press = async (page: Page, what: 'up' | 'down' | 'remove', nth: number) => {
    await page.getByRole('button', { name: `${textOf(`blocks.rows.${what}`, 'en')}: String ${nth}` }).focus();
    await page.keyboard.press('Enter');
  };
  const addTwo = async (page: Page) => {
    for (const title of ['North', 'South']) {
      await page.getByRole('button', { name: 'Add a string' }).click();
      await page.keyboard.type(title);
    }
  };

  test('are added, moved and taken out, the focus where the work goes on, each said aloud', async () => {
    const { page } = await open();
    await addTwo(page);
    expect(await titles(page)).toEqual(['North', 'South']);
    const said = () => page.getByRole('dialog').locator('span[role="status"]').innerText();
    expect(await said()).toBe(textOf('blocks.rows.added', 'en', { name: 'String', number: 2 }));

    await press(page, 'up', 2);
    await expect.poll(() => titles(page)).toEqual(['South', 'North']);
    expect(await said()).toBe(textOf('blocks.rows.moved', 'en', { number: 1, count: 2 }));
    // It cannot go up further: the focus is on the way back.
    expect(await focused(page).getAttribute('aria-label')).toBe(`${textOf('blocks.rows.down', 'en')}: String 1`);
    await page.keyboard.press('Enter');
    await expect.poll(() => titles(page)).toEqual(['North', 'South']);

    await press(page, 'remove', 1);
    await expect.poll(() => titles(page)).toEqual(['South']);
    expect(await said()).toBe(textOf('blocks.rows.removed', 'en', { name: 'String', number: 1 }));
    expect(await focused(page).inputValue()).toBe('South');
    await press(page, 'remove', 1);
    await expect.poll(() => rows(page).count()).toBe(0);
    expect(await focused(page).innerText()).toContain('Add a string');
  });

  test('keep what was refused in them, by the form and by the server, wherever they move', async () => {
    const refusal = { fields: [{ path: 'strings.1.title', reason: 'taken', params: {} }] };
    const { page } = await open({}, refusal);
    await fillIn(page, { day: '05112026', time: '0730', power: '1' });
    await page.getByRole('button', { name: 'Add a string' }).click();
    await page.keyboard.type('West');
    await save(page);
    // What lacks a number is refused at its own field.
    await expect.poll(() => rows(page).nth(1).locator('[aria-invalid="true"]').count()).toBe(1);
    expect(await rows(page).nth(0).locator('[aria-invalid="true"]').count()).toBe(0);
    await focused(page).fill('2');
    await save(page);
    const taken = page.getByText(textOf('blocks.reason.taken', 'en'));
    await taken.waitFor();
    expect(await focused(page).inputValue()).toBe('West');
    await press(page, 'up', 2);
    await expect.poll(() => titles(page)).toEqual(['West', 'South']);
    expect(await rows(page).nth(0).getByText(textOf('blocks.reason.taken', 'en')).count()).toBe(1);
    await press(page, 'remove', 1);
    await taken.waitFor({ state: 'detached' });
  });
});

test('where colours are forced, what is chosen and where the focus is can be seen', async () => {
  const { page } = await open();
  await page.emulateMedia({ forcedColors: 'active' });
  const first = group(page, 'Day').getByRole('spinbutton').first();
  await first.focus();
  await page.keyboard.type('05112026');
  await first.focus();
  const ground = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  const base = await ground('body');
  expect(await ground('[role="spinbutton"]:focus')).not.toBe(base);
  await group(page, 'Day').getByRole('button').click();
  expect(await ground('[data-day="2026-11-05"]')).not.toBe(base);
  await takeScreenshot(page, 'widgets-forced');
});
