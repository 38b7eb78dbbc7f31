import path from 'node:path';

/** What is fetched on its own, and the modules that it needs. */
export interface Needs {
  readonly id: string;
  readonly modules: readonly string[];
  /** How much its requests count: a page may begin with a screen, and most begin with few of them. */
  readonly weight: number;
}

interface Module {
  readonly bytes: number;
  readonly imports: readonly string[];
  /** The files of first pages that come along with it, named in order. */
  readonly brings: string;
}

/** A file to be: its modules, and who fetches it, with what they weigh. */
interface File {
  readonly users: ReadonlyMap<string, number>;
  readonly modules: readonly string[];
  readonly brings: string;
  /** Its modules and the shared ones that they need. */
  readonly closure: ReadonlySet<string>;
  /** Bytes of these that others than its users would fetch for nothing. */
  readonly beside: ReadonlyMap<string, number>;
}

/** What a request is worth, in bytes of source: rather this much that is not needed yet than one more. */
const REQUEST_BYTES = 12_000;
/** What is opened from a screen mostly finds there what they share. */
export const OPENED_WEIGHT = 0.1;
export const SCREEN_WEIGHT = 1;
export const FIRST_WEIGHT = 25;

/**
 * What is won by making two files one: a request for those who fetch both, less the bytes that others do not need.
 * Nothing where one of them would bring others along that the other does without.
 */
function gainOf(a: File, b: File): number {
  if (a.brings !== b.brings) return 0;
  let gain = 0;
  for (const [user, weight] of new Map([...a.users, ...b.users])) {
    const besides = !a.users.has(user) ? a.beside : !b.users.has(user) ? b.beside : undefined;
    gain += weight * (besides ? -(besides.get(user) ?? 0) : REQUEST_BYTES);
  }
  return gain;
}

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
 * Which shared modules lie in one file. Those that are needed by the very same and bring the same along are one; such files are joined as long as
 * that saves more requests than it costs bytes. What only one needs stays with it.
 */
export function sharedFiles(needs: readonly Needs[], at: (id: string) => Module): Map<string, string> {
  const usersOf = new Map<string, Map<string, number>>();
  for (const { id, modules, weight } of needs)
    for (const each of modules) usersOf.set(each, (usersOf.get(each) ?? new Map()).set(id, weight));
  const bySame = Map.groupBy(
    [...usersOf].filter(([, users]) => users.size > 1),
    ([id, users]) => [at(id).brings, ...[...users.keys()].sort()].join('\n'),
  );
  const needed = new Map(needs.map(({ id, modules }) => [id, new Set(modules)]));
  const isShared = (id: string): boolean => (usersOf.get(id)?.size ?? 0) > 1;
  const fileOf = (users: File['users'], modules: readonly string[], brings: string): File => {
    const closure = new Set<string>();
    const open = [...modules];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (closure.has(id) || !isShared(id)) continue;
      closure.add(id);
      open.push(...at(id).imports);
    }
    const beside = new Map<string, number>();
    for (const [user, own] of needed)
      if (!users.has(user))
        beside.set(
          user,
          [...closure].reduce((sum, id) => sum + (own.has(id) ? 0 : at(id).bytes), 0),
        );
    return { users, modules, brings, closure, beside };
  };
  const joined = (a: File, b: File): File =>
    fileOf(new Map([...a.users, ...b.users]), [...a.modules, ...b.modules], a.brings);
  let files: readonly File[] = [...bySame.values()].map((same) =>
    fileOf(
      same[0]?.[1] ?? new Map(),
      same.map(([id]) => id),
      same[0] ? at(same[0][0]).brings : '',
    ),
  );
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
