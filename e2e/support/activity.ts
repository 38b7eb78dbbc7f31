import type { Page, Request } from 'playwright-core';

const LONGEST_MS = 5_000;

/** What a page is busy with, so that the end of what a click began can be awaited. */
export class Activity {
  readonly #page: Page;
  readonly #underWay = new Set<Request>();

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => this.#underWay.add(request));
    page.on('requestfinished', (request) => this.#underWay.delete(request));
    page.on('requestfailed', (request) => this.#underWay.delete(request));
    // A stream of live values has no end.
    page.on('response', (response) => {
      if (response.headers()['content-type']?.startsWith('text/event-stream')) {
        this.#underWay.delete(response.request());
      }
    });
  }

  /** What was begun is drawn, and nothing is fetched any more. */
  async settled(): Promise<void> {
    const endMs = Date.now() + LONGEST_MS;
    let isQuiet = false;
    while (!isQuiet && Date.now() < endMs) {
      isQuiet = this.#underWay.size === 0;
      await this.#page.evaluate(async () => {
        await (globalThis as { textsUnderWay?: Promise<unknown> }).textsUnderWay;
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))));
      });
      isQuiet &&= this.#underWay.size === 0;
    }
  }
}
