import type { Language } from '@sonnenwarte/contract/languages';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { sharedBrowser } from './browser.ts';
import { type DemoUser, portalUrl, sessionOf } from './demo.ts';

export const desktop = { width: 1440, height: 900 } as const;
export const phone = { width: 390, height: 844 } as const;
const TIMEOUT_MS = 45_000;

export interface View {
  size?: 'desktop' | 'phone';
  scheme?: 'light' | 'dark';
  /** Left out: nobody has chosen one, as in a new browser. */
  language?: Language;
  /** Signed in as; left out: nobody. */
  user?: DemoUser;
  /** Lets things move; else they rest, which leaves the machine to what is tested. */
  moves?: boolean;
  /** Fetches the code of other screens while it is idle; else that waits until they are opened, which leaves the machine to what is tested. */
  preloads?: boolean;
  /** Address of the portal, where it is not the shared one. */
  url?: string;
  /** A browser of its own, where the shared one does not do. */
  browser?: Browser;
  /** Faults that belong to the journey, for example a connection that is cut. */
  expected?: readonly RegExp[];
}

export interface OpenedPage {
  page: Page;
  context: BrowserContext;
  url: string;
  /** What went wrong so far: messages of the console, errors, refusals of the policy, failed requests. */
  problems: string[];
}

function watch(page: Page, problems: string[], expected: readonly RegExp[]): void {
  const note = (problem: string) => {
    if (!expected.some((pattern) => pattern.test(problem))) problems.push(problem);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => note(`error: ${error.stack ?? error.message}`));
  page.on('requestfailed', (failed) => {
    const reason = failed.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') note(`request: ${failed.method()} ${failed.url()} ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) note(`answer: ${response.status()} ${response.url()}`);
  });
}

/** A new window of a new browser profile. The test fails when anything goes wrong in it. */
export async function openPage(view: View = {}): Promise<OpenedPage> {
  const {
    size = 'desktop',
    scheme = 'light',
    language,
    user,
    moves = false,
    preloads = false,
    url = portalUrl(),
    expected = [],
  } = view;
  const small = size === 'phone';
  const browser = view.browser ?? (await sharedBrowser());
  const context = await browser.newContext({
    baseURL: url,
    viewport: small ? phone : desktop,
    colorScheme: scheme,
    reducedMotion: moves ? 'no-preference' : 'reduce',
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    // Sharp where pictures are kept: it makes four points of each to be drawn.
    ...(small && { isMobile: true, hasTouch: true, deviceScaleFactor: process.env.SCREENSHOTS === 'on' ? 2 : 1 }),
  });
  if (!preloads)
    await context.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    });
  const problems: string[] = [];
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  watch(page, problems, expected);
  onTestFinished(async () => {
    // What a handler still waits for is nobody's error once the test has ended.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    if (problems.length > 0) throw new Error(`The page had problems:\n${[...new Set(problems)].join('\n')}`);
  });
  const stored: Record<string, string> = language === undefined ? {} : { language };
  if (user !== undefined) {
    const session = await sessionOf(user);
    Object.assign(stored, {
      token: session.token,
      access: String(session.access),
      loginInfo: JSON.stringify({ username: user, email: '', phone: '' }),
    });
  }
  if (Object.keys(stored).length > 0) await store(page, stored);
  return { page, context, url, problems };
}

/** Puts values into the browser's local storage as the first page of the portal is opened. */
async function store(page: Page, values: Record<string, string>): Promise<void> {
  const script = await page.addInitScript((entries) => {
    if (!location.protocol.startsWith('http')) return;
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, values);
  page.once('domcontentloaded', () => script.dispose().catch(() => undefined));
}

/** Signs in through the form, as a person does. */
export async function signIn(page: Page, user: string, password: string): Promise<void> {
  await page.locator('input[name=username]').fill(user);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
}

/** Goes to a path without loading the page anew, as the portal's own links do. */
export async function goInside(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

export const pathOf = (page: Page): string => new URL(page.url()).pathname;

/** Shows the page light or dark, all its colours as they come to rest. */
export async function showScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.evaluate(async () => {
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const changing = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await drawn();
    // What takes its colour from around it begins to change when that has ended.
    while (changing().length > 0) {
      for (const change of changing()) change.finish();
      await drawn();
    }
  });
}
