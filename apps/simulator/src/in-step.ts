/** Keeps several who go through the same time together: nobody goes on before all others have come as far. */
export class InStep {
  readonly #places = new Map<object, number>();
  #changed = Promise.withResolvers<void>();

  /** Whoever is to be waited for joins before anybody goes. */
  join(who: object): void {
    this.#places.set(who, Number.NEGATIVE_INFINITY);
  }

  /** Resolves when all who have joined have come to a time, or have left. */
  async reach(who: object, tsMs: number): Promise<void> {
    this.#move(() => this.#places.set(who, tsMs));
    while (this.#places.has(who) && Math.min(...this.#places.values()) < tsMs) await this.#changed.promise;
  }

  leave(who: object): void {
    this.#move(() => this.#places.delete(who));
  }

  #move(step: () => void): void {
    step();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
