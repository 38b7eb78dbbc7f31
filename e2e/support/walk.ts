import { type Language, languages } from '@sonnenwarte/contract/languages';
import { features, textsOf } from '@sonnenwarte/phrases/check';
import { languageOffers } from '@sonnenwarte/phrases/language-offers';
import { languageNames } from '@sonnenwarte/phrases/languages';
import type { Page } from 'playwright-core';
import { Activity } from './activity.ts';
import { axeViolations } from './axe.ts';
import { type DemoUser, demoUsers } from './demo.ts';
import { languageSwitch, type SwitchLanguage } from './language.ts';
import { layoutProblems } from './layout.ts';
import { budgets, Loaded, recordLoaded } from './loaded.ts';
import { madeUp, serveMadeUp } from './made-up-languages.ts';
import { eachOpening, refuseWrites } from './openings.ts';
import { openPage, showScheme } from './page.ts';
import { HOME, type Stop } from './screens.ts';
import { takeScreenshot } from './screenshot.ts';
import { visit } from './settled.ts';
import {
  dataOf,
  forgetDrawnTexts,
  isMarked,
  markTexts,
  noteDrawnTexts,
  outsideCatalogue,
  shownTexts,
} from './shown-texts.ts';

interface WalkOptions {
  readonly size: 'desktop' | 'phone';
  /**
   * Whole: every language and every rule in both schemes. Usual: the worst languages, and in the dark what the dark
   * changes. Brief: the texts, and how they fit in one language.
   */
  readonly depth: 'whole' | 'usual' | 'brief';
}

/** Its texts are marked: what is neither marked nor data has been forgotten. Its lines break anywhere. */
const MARKED: Language = 'ko';
/** In which the pictures are taken, and the rules of axe are tried. */
const SHOWN: Language = 'de';
/** The longest of those in which a phone's dialogs and menus are opened. */
const LONGEST: readonly Language[] = ['de', 'fr', 'pl', 'ro'];

const NAMES: readonly string[] = [
  'Sonnenwarte',
  // What the journeys' own client calls itself in the list of sessions.
  'node',
  // The key that opens the search, and those of the list of alarms.
  'K',
  'J',
  'X',
  'Q',
  // Of the francs that have one name in all languages.
  'CFA',
  'CFP',
  ...Object.values(languageOffers),
  ...Object.values(languageNames),
  ...demoUsers.map(({ user }) => user),
  ...Intl.supportedValuesOf('timeZone').map((zone) => zone.replaceAll('_', ' ')),
];

/** One person's way through screens: each is loaded once, and all that is to be known of it is looked at there. */
class Walk {
  readonly problems: string[] = [];
  /** Where a text of a made-up language does not fit: the languages that may be as wide tell whether it does in a real one. */
  readonly doubtful = new Map<Stop, ReadonlySet<Language>>();
  readonly #page: Page;
  readonly #activity: Activity;
  readonly #switchTo: SwitchLanguage;
  readonly #options: WalkOptions;
  readonly #data: ReturnType<typeof dataOf>;
  readonly #recorded: { taken(): Loaded };
  readonly #loaded = new Map<Stop, Loaded>();
  /** What home loads below its first screen, once that stands. */
  #afterHome = new Loaded([]);
  readonly #opened = new Map<Language, Set<string>>();

  constructor(page: Page, switchTo: SwitchLanguage, options: WalkOptions) {
    this.#page = page;
    this.#activity = new Activity(page);
    this.#switchTo = switchTo;
    this.#options = options;
    this.#recorded = recordLoaded(page);
    this.#data = dataOf(page, NAMES);
  }

  async at(stop: Stop): Promise<void> {
    await this.load(stop);
    await this.#textsAt(stop.name);
    await this.#layoutAt(stop);
    if (this.#options.depth === 'brief') return;
    await this.#rulesAt(stop.name);
    await this.#openingsAt(stop);
  }

  /** Loads a screen, and keeps what it loads. */
  async load(stop: Stop): Promise<void> {
    await this.#switchTo.ofNextPage(MARKED);
    // The page that is left follows as well.
    await this.#activity.settled();
    this.#recorded.taken();
    await visit(this.#page, stop.address);
    this.#loaded.set(stop, this.#recorded.taken());
    if (stop.address !== HOME) return;
    await this.#activity.settled();
    this.#afterHome = this.#recorded.taken();
  }

  /** What screens load: at first, and where home has been opened before. */
  weigh(): void {
    const home = [...this.#loaded].find(([{ address }]) => address === HOME)?.[1];
    for (const [{ name, address }, loaded] of this.#loaded) {
      const { scripts, styles, widgets } = loaded;
      if (scripts === 0) this.problems.push(`${name}: no script was seen`);
      this.#noteOver(name, 'scripts', scripts, budgets.initialJs + budgets.routeJs);
      // What is below its first screen may be there by then or not.
      if (address === HOME)
        this.#noteOver(name, 'first scripts', loaded.ofFirstPage('bus-index').scripts, budgets.initialJs);
      this.#noteOver(name, 'styles', styles, budgets.css);
      this.#noteOver(name, 'widgets', widgets, address === HOME ? 0 : budgets.widgetsJs);
      if (home)
        this.#noteOver(
          `${name} from home`,
          'scripts',
          loaded.beyond(home).beyond(this.#afterHome).scripts,
          budgets.routeJs,
        );
    }
  }

  #noteOver(name: string, what: string, bytes: number, allowed: number): void {
    if (bytes > allowed) this.problems.push(`${name}: ${bytes} B of ${what}, ${allowed} B allowed`);
  }

  async #textsAt(where: string, part?: string): Promise<void> {
    const texts = await shownTexts(this.#page, part);
    const words = await this.#data.words();
    if (!texts.some(isMarked)) this.problems.push(`${where}: no text of the catalogues`);
    for (const text of texts) {
      const rest = outsideCatalogue(text, words);
      if (rest !== '') this.problems.push(`${where}: "${rest}" in "${text}" is not of the catalogues`);
    }
  }

  async #layoutAt(stop: Stop): Promise<void> {
    const { depth } = this.#options;
    const told = new Map((await layoutProblems(this.#page)).map((problem) => [problem, [MARKED]]));
    const worst: string[] = [];
    for (const language of depth === 'usual' ? Object.values(madeUp) : []) {
      await this.#switchTo(this.#page, language);
      worst.push(...(await layoutProblems(this.#page)));
    }
    for (const language of depth === 'whole' ? languages.filter((each) => each !== MARKED) : [SHOWN]) {
      await this.#switchTo(this.#page, language);
      noteMisfits(told, await layoutProblems(this.#page), language);
    }
    this.problems.push(...toldTogether(stop.name, told));
    if (worst.length > 0 && told.size === 0) this.doubtful.set(stop, languagesOf(worst));
  }

  async #rulesAt(where: string): Promise<void> {
    const { size, depth } = this.#options;
    await this.#switchTo(this.#page, SHOWN);
    for (const scheme of ['light', 'dark'] as const) {
      await showScheme(this.#page, scheme);
      await takeScreenshot(this.#page, `${where}-${size}-${scheme}`);
      const rules = scheme === 'light' || depth === 'whole' ? undefined : OF_COLOURS;
      this.problems.push(...(await axeViolations(this.#page, `${where}, ${scheme}`, rules)));
    }
    await showScheme(this.#page, 'light');
    // axe draws texts to see whether they are icons.
    await forgetDrawnTexts(this.#page);
  }

  async #openingsAt(stop: Stop): Promise<void> {
    const { size, depth } = this.#options;
    for (const language of size === 'desktop' ? [MARKED] : depth === 'whole' ? LONGEST : [SHOWN]) {
      await this.#switchTo(this.#page, language);
      const seen = this.#opened.get(language) ?? new Set();
      this.#opened.set(language, seen);
      await eachOpening(this.#page, this.#activity, stop.address, seen, async (opened) => {
        const where = `${stop.name}, ${opened}`;
        const found = await layoutProblems(this.#page);
        this.problems.push(...found.map((problem) => `${where}: ${problem} (${language})`));
        if (language === MARKED) await this.#textsAt(where, OPENING);
      });
    }
  }
}

const OF_COLOURS = ['color-contrast'];
/** The bars of the workspace have been looked at; a tab bears the name that its screen gave it when it was shown. */
const OPENING = 'main, dialog[open], :popover-open, [data-opened]';

function noteMisfits(told: Map<string, Language[]>, found: readonly string[], language: Language): void {
  for (const problem of found) told.set(problem, [...(told.get(problem) ?? []), language]);
}

/** Problems of a screen by what they are: the same one in several languages is told once. */
const toldTogether = (where: string, told: ReadonlyMap<string, readonly Language[]>): string[] =>
  [...told].map(
    ([problem, found]) => `${where}: ${problem} (${found.length === languages.length ? 'all' : found.join()})`,
  );

/** As problems of the layout quote a text. */
const startOf = (text: string): string => text.trim().replace(/\s+/g, ' ').slice(0, 60);

/** Beginnings of all texts of a language. */
const beginnings = new Map(
  languages.map((language) => [
    language,
    new Set(features().flatMap((feature) => [...(textsOf(feature, language)?.values() ?? [])].map(startOf))),
  ]),
);

/** The long languages, and those from which the texts of a made-up one come that do not fit. */
function languagesOf(problems: readonly string[]): ReadonlySet<Language> {
  const quoted = problems.map((problem) => /^"([^"]*)"/.exec(problem)?.[1] ?? '');
  const isFrom = (language: Language) => quoted.some((text) => beginnings.get(language)?.has(text));
  return new Set(languages.filter((language) => LONGEST.includes(language) || isFrom(language)));
}

/** What does not fit on screens in real languages. */
async function misfits(
  user: DemoUser | undefined,
  stops: ReadonlyMap<Stop, ReadonlySet<Language>>,
  { size }: WalkOptions,
): Promise<string[]> {
  if (stops.size === 0) return [];
  const { page, context } = await openPage({ size, language: SHOWN, ...(user && { user }) });
  const switchTo = await languageSwitch(context);
  const problems: string[] = [];
  for (const [{ name, address }, tried] of stops) {
    await visit(page, address);
    const told = new Map<string, Language[]>();
    for (const language of tried) {
      await switchTo(page, language);
      noteMisfits(told, await layoutProblems(page), language);
    }
    problems.push(...toldTogether(name, told));
  }
  return problems;
}

/**
 * What is wrong with screens of a size, each of them visited once: texts that do not fit, in the dialogs and menus that
 * its buttons open as well; violations of axe, light and dark; texts that are neither of the catalogues nor data; more
 * bytes than a route may load.
 */
export async function walkScreens(
  user: DemoUser | undefined,
  stops: readonly Stop[],
  options: WalkOptions,
): Promise<string[]> {
  const { page, context } = await openPage({ size: options.size, language: MARKED, ...(user && { user }) });
  await markTexts(context, MARKED);
  await noteDrawnTexts(context);
  await refuseWrites(context);
  if (options.depth === 'usual') await serveMadeUp(context, page);
  const walk = new Walk(page, await languageSwitch(context), options);
  if (user && !stops.some(({ address }) => address === HOME)) await walk.load({ name: 'home', user, address: HOME });
  for (const stop of stops) await walk.at(stop);
  walk.weigh();
  return [...walk.problems, ...(await misfits(user, walk.doubtful, options))];
}
