/** Storage of a browser for tests, where there is none. */
export function memoryStorage(items: Readonly<Record<string, string>> = {}): Storage {
  const kept = new Map(Object.entries(items));
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}
