import path from 'node:path';

/** What is fetched on its own, and the modules that it needs. */
export interface Needs {
  readonly id: string;
  readonly modules: readonly string[];
  /** The page may begin with it. */
  readonly isScreen: boolean;
}

interface Module {
  readonly bytes: number;
  readonly imports: readonly string[];
}

/** A file to be: its modules, and who fetches it, with what they weigh. */
interface File {
  readonly users: ReadonlyMap<string, number>;
  readonly modules: readonly string[];
  readonly bytes: number;
}

/** What a request is worth, in bytes of source: rather this much that is not needed yet than one more. */
const REQUEST_BYTES = 24_000;
/** What is opened from a screen mostly finds there what they share. */
const OPENED_WEIGHT = 0.1;

/** What is won by making two files one: a request for those who fetch both, less the bytes that others do not need. */
function gainOf(a: File, b: File): number {
  let gain = 0;
  for (const [user, weight] of new Map([...a.users, ...b.users])) {
    gain += weight * (!a.users.has(user) ? -a.bytes : !b.users.has(user) ? -b.bytes : REQUEST_BYTES);
  }
  return gain;
}

const joined = (a: File, b: File): File => ({
  users: new Map([...a.users, ...b.users]),
  modules: [...a.modules, ...b.modules],
  bytes: a.bytes + b.bytes,
});

/** Whether a file needs another by way of a third one: made one, they and the third would need each other. */
function leadsAround(from: File, to: File, files: readonly File[], at: (id: string) => Module): boolean {
  const fileOf = new Map(files.flatMap((file) => file.modules.map((id) => [id, file] as const)));
  const neededBy = (file: File): File[] =>
    file.modules.flatMap((id) => at(id).imports.flatMap((each) => fileOf.get(each) ?? []));
  const found = new Set<File>([from]);
  const open = neededBy(from).filter((file) => file !== to && file !== from);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (file === to) return true;
    if (found.has(file)) continue;
    found.add(file);
    open.push(...neededBy(file));
  }
  return false;
}

/** The two files of which it pays most to make one. */
function bestPair(files: readonly File[], at: (id: string) => Module): [File, File] | undefined {
  const pairs = files
    .flatMap((a, index) => files.slice(index + 1).map((b) => ({ a, b, gain: gainOf(a, b) })))
    .filter(({ gain }) => gain > 0)
    .sort((one, other) => other.gain - one.gain);
  const found = pairs.find(({ a, b }) => !leadsAround(a, b, files, at) && !leadsAround(b, a, files, at));
  return found && [found.a, found.b];
}

/**
 * Which shared modules lie in one file. Those that are needed by the very same are one; such files are joined as long as
 * that saves more requests than it costs bytes. What only one needs stays with it.
 */
export function sharedFiles(needs: readonly Needs[], at: (id: string) => Module): Map<string, string> {
  const usersOf = new Map<string, Map<string, number>>();
  for (const { id, modules, isScreen } of needs)
    for (const each of modules)
      usersOf.set(each, (usersOf.get(each) ?? new Map()).set(id, isScreen ? 1 : OPENED_WEIGHT));
  const bySame = Map.groupBy(
    [...usersOf].filter(([, users]) => users.size > 1),
    ([, users]) => [...users.keys()].sort().join('\n'),
  );
  let files: readonly File[] = [...bySame.values()].map((same) => ({
    users: same[0]?.[1] ?? new Map(),
    modules: same.map(([id]) => id),
    bytes: same.reduce((sum, [id]) => sum + at(id).bytes, 0),
  }));
  for (let pair = bestPair(files, at); pair; pair = bestPair(files, at)) {
    const [a, b] = pair;
    files = [...files.filter((file) => file !== a && file !== b), joined(a, b)];
  }
  const largest = ({ modules }: File): string =>
    modules.reduce((one, other) => (at(other).bytes > at(one).bytes ? other : one));
  return new Map(
    files.flatMap((file, index) => {
      const [name = ''] = path.basename(largest(file)).split('.');
      return file.modules.map((id) => [id, `${name}-${index}`] as const);
    }),
  );
}
