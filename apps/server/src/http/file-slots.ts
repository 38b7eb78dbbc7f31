import { CallError } from './call-error.ts';

/** Files that are made for one account at a time: each reads rows as long as it is taken. */
export const MOST_FILES_AT_ONCE = 2;

/** Counts the files that are under way. */
export class FileSlots {
  readonly #underWay = new Map<string, number>();

  /** Takes a place of an account; what is returned gives it back, once. */
  take(accountId: string): () => void {
    const taken = this.#underWay.get(accountId) ?? 0;
    if (taken >= MOST_FILES_AT_ONCE) throw new CallError('tooManyFiles');
    this.#underWay.set(accountId, taken + 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const left = (this.#underWay.get(accountId) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(accountId);
      else this.#underWay.set(accountId, left);
    };
  }
}
