/**
 * Questions that many ask at once, each of one key: those of a turn go together, and those that come while they are answered
 * wait for the next. A thousand that connect in one instant are one query.
 */
export class Gathered<Answer> {
  readonly #read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>;
  readonly #mostAtOnce: number;
  readonly #waiting = new Map<string, PromiseWithResolvers<Answer | undefined>>();
  #isReading = false;

  constructor(read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>, mostAtOnce: number) {
    this.#read = read;
    this.#mostAtOnce = mostAtOnce;
  }

  /** The answer is not older than the question. */
  ask(key: string): Promise<Answer | undefined> {
    let question = this.#waiting.get(key);
    if (question === undefined) {
      question = Promise.withResolvers();
      this.#waiting.set(key, question);
      this.#readSoon();
    }
    return question.promise;
  }

  #readSoon(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    setImmediate(async () => {
      const part = [...this.#waiting].slice(0, this.#mostAtOnce);
      for (const [key] of part) this.#waiting.delete(key);
      try {
        const answers = await this.#read(part.map(([key]) => key));
        for (const [key, { resolve }] of part) resolve(answers.get(key));
      } catch (error) {
        for (const [, { reject }] of part) reject(error);
      }
      this.#isReading = false;
      if (this.#waiting.size > 0) this.#readSoon();
    });
  }
}
