import { writes } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import type { BrowserContext, Page } from 'playwright-core';
import type { Activity } from './activity.ts';
import { visit } from './settled.ts';

const OPENED = 'dialog[open], [role=menu]:popover-open, [data-opened]';

const MENU = '[role=menu]:popover-open';
const ENTRY = `${MENU} [role=menuitem]`;

const writing: readonly string[] = allEndpoints.filter(writes).map(({ path }) => path);

/** Lets nothing through that would change a record, so that any button can be tried. Done in the page, whose browser then keeps its cache. */
export const refuseWrites = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript((refused) => {
    const { fetch } = globalThis;
    globalThis.fetch = async (input, init) => {
      const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method };
      const { pathname } = new URL(url, location.href);
      if (method === 'POST' && refused.includes(pathname)) throw new TypeError('refused by the test');
      return fetch(input, init);
    };
    XMLHttpRequest.prototype.send = () => {
      throw new TypeError('refused by the test');
    };
  }, writing);
};

/** Numbers the buttons of the screen that could open something; of rows alike, those of the first. */
const numberButtons = (page: Page): Promise<number> =>
  page.evaluate(() => {
    for (const numbered of document.querySelectorAll('[data-number]')) numbered.removeAttribute('data-number');
    const plain = 'main button:not([type=submit], [role=tab], [role=radio], [aria-pressed], th *)';
    const buttons = [...document.querySelectorAll<HTMLButtonElement>(plain)].filter(
      (button) =>
        !button.disabled && button.checkVisibility() && !button.closest('tbody tr:nth-child(n+2), li:nth-child(n+2)'),
    );
    for (const [number, button] of buttons.entries()) button.dataset.number = String(number);
    return buttons.length;
  });

/** Presses a button where a person could: what opens beside one that is out of sight is closed by the scroll that shows it. */
const press = (page: Page, selector: string): Promise<void> =>
  page.evaluate(async (chosen) => {
    const button = document.querySelector<HTMLElement>(chosen);
    button?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    button?.click();
  }, selector);

/** Presses an entry of the open menu; false where the menu has closed meanwhile, as it does when the screen moves. */
const pressEntry = (page: Page, entry: number): Promise<boolean> =>
  page.evaluate(
    ([chosen, at]) => {
      const found = document.querySelectorAll<HTMLElement>(chosen)[at];
      found?.click();
      return found !== undefined;
    },
    [ENTRY, entry] as const,
  );

/** Words of what has opened; nothing where all that the click began is done and nothing did. */
async function wordsOfOpened(page: Page, activity: Activity, selector = OPENED): Promise<string | undefined> {
  await activity.settled();
  return (await page.locator(selector).allInnerTexts()).at(-1);
}

async function close(page: Page, address: string): Promise<void> {
  const path = new URL(page.url()).pathname;
  for (let tries = 0; tries < 2 && (await page.locator(OPENED).count()) > 0; tries++)
    await page.keyboard.press('Escape');
  if ((await page.locator(OPENED).count()) > 0 || path !== address.replace(/\?.*/, '')) await visit(page, address);
}

/** Opens whatever the buttons of a screen open - dialogs, menus, and the dialogs of their entries - and has each looked at. */
export async function eachOpening(
  page: Page,
  activity: Activity,
  address: string,
  seen: Set<string>,
  look: (name: string) => Promise<void>,
): Promise<void> {
  const lookOnce = async (words: string) => {
    const [name = ''] = words.split('\n');
    if (!seen.has(words)) await look(name);
    seen.add(words);
  };
  const count = await numberButtons(page);
  for (let number = 0; number < count; number++) {
    const button = `[data-number="${number}"]`;
    await press(page, button);
    const words = await wordsOfOpened(page, activity);
    if (words !== undefined && !seen.has(words)) {
      await lookOnce(words);
      const entries = await page.locator(ENTRY).count();
      for (let entry = 0; entry < entries; entry++) {
        if (!(await pressEntry(page, entry))) {
          await press(page, button);
          await activity.settled();
          if (!(await pressEntry(page, entry))) break;
        }
        const inDialog = await wordsOfOpened(page, activity, 'dialog[open]');
        if (inDialog !== undefined) await lookOnce(inDialog);
        await close(page, address);
        if (entry + 1 === entries) break;
        if ((await page.locator(button).count()) === 0) await numberButtons(page);
        await press(page, button);
        if ((await wordsOfOpened(page, activity, MENU)) === undefined) break;
      }
    }
    await close(page, address);
    if ((await page.locator(button).count()) === 0) await numberButtons(page);
  }
}
