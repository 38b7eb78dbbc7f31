interface Entry<T> {
  readonly atMs: number;
  readonly of: T;
}

/** What is due when: the nearest is known at once, however many there are. Who is put in again stands in twice, and is told by its own time. */
export class DueTimes<T> {
  readonly #heap: Entry<T>[] = [];

  get nextMs(): number | undefined {
    return this.#heap[0]?.atMs;
  }

  put(of: T, atMs: number): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push({ atMs, of });
    while (place > 0) {
      const above = (place - 1) >> 1;
      if ((heap[above]?.atMs ?? 0) <= atMs) break;
      this.#swap(place, above);
      place = above;
    }
  }

  /** Takes out what is due by a time, the earliest first. */
  *take(nowMs: number): Generator<T> {
    for (let first = this.#heap[0]; first !== undefined && first.atMs <= nowMs; first = this.#heap[0]) {
      const last = this.#heap.pop();
      if (last !== undefined && this.#heap.length > 0) {
        this.#heap[0] = last;
        this.#sink();
      }
      yield first.of;
    }
  }

  #sink(): void {
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      let least = place;
      for (const below of [left, right]) if (this.#at(below) < this.#at(least)) least = below;
      if (least === place) return;
      this.#swap(place, least);
      place = least;
    }
  }

  #at(place: number): number {
    return this.#heap[place]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}
