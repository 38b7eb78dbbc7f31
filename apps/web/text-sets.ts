import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ENTRY, SIGN_IN, WORKSPACE } from './first-pages.ts';

const web = import.meta.dirname;
const contract = path.join(web, '../../packages/contract/src');
export const phrasesFolder = path.join(web, '../../packages/phrases/src');

const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?from\s+)?'([^']+)'/gm;
const DYNAMIC = /import\(\s*'([^']+)'\s*\)/g;
/** A key, or the beginning of one that is built: `sites.title`, `points.${name}`. */
const KEY = /['"`]([a-z][a-z-]*)\.[\w$]/g;
/** What keys of fields, lists and actions are built from: an endpoint's feature, a table's name. */
const BUILT = /\b(?:feature|texts):\s*'([\w.-]+)'|\btable\(\s*'([\w.-]+)'/g;
const PART = /lazyPart\(\s*'([\w-]+)',[^']*?import\(\s*'([^']+)'\s*\)/g;

/** A file of the web app or of the contract, as far as its texts are concerned. */
interface Module {
  readonly source: string;
  readonly imports: readonly string[];
  readonly later: readonly string[];
  readonly features: readonly string[];
}

/** What is shown on its own and brings along the texts that it needs. */
interface Root {
  readonly set: string;
  readonly file: string;
  /** Shown outside the workspace. */
  readonly outside: boolean;
}

const matches = (source: string, pattern: RegExp): string[] =>
  [...source.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '');

/** The features whose texts the web app shows by key. */
export const shownFeatures = (): string[] =>
  matches(readFileSync(path.join(phrasesFolder, 'catalogue.ts'), 'utf8'), /^ {2}'?([\w-]+)'?: typeof/gm).sort();

class Sources {
  readonly #known = new Map<string, Module>();
  readonly #features = new Set(shownFeatures());

  at(file: string): Module {
    const known = this.#known.get(file);
    if (known) return known;
    const source = readFileSync(file, 'utf8');
    const features = [...matches(source, KEY), ...matches(source, BUILT).map((name) => name.split('.')[0] ?? '')];
    const found = {
      source,
      imports: this.#files(file, matches(source, STATIC)),
      later: this.#files(file, matches(source, DYNAMIC)),
      features: [...new Set(features.filter((name) => this.#features.has(name)))],
    };
    this.#known.set(file, found);
    return found;
  }

  #files(from: string, specifiers: readonly string[]): string[] {
    const room = path.dirname(from);
    const inContract = room.startsWith(contract);
    return specifiers
      .map((specifier) =>
        specifier.startsWith('@sonnenwarte/contract/')
          ? path.join(contract, `${specifier.slice('@sonnenwarte/contract/'.length)}.ts`)
          : path.join(room, specifier),
      )
      .filter((file) => /\.tsx?$/.test(file) && existsSync(file))
      .filter((file) => !inContract || path.dirname(file) === room);
  }

  /** All that modules bring along beyond what is known, with what they fetch later but for what brings its own texts. */
  closureOf(
    starts: readonly string[],
    {
      roots,
      known = new Set(),
      later = true,
    }: { roots: ReadonlySet<string>; known?: ReadonlySet<string>; later?: boolean },
  ): Set<string> {
    const found = new Set<string>();
    const open = [...starts];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (found.has(file) || known.has(file)) continue;
      found.add(file);
      const module = this.at(file);
      open.push(...module.imports, ...(later ? module.later.filter((each) => !roots.has(each)) : []));
    }
    return found;
  }

  featuresOf(files: Iterable<string>): string[] {
    return [...new Set([...files].flatMap((file) => this.at(file).features))].sort();
  }
}

function rootsIn(sources: Sources): Root[] {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: web })
    .filter((file) => !file.includes('.test.'))
    .map((file) => path.join(web, file));
  return files.flatMap((file) => {
    const { source } = sources.at(file);
    const room = path.dirname(file);
    const isOutside = source.includes('export const publicScreens');
    return path.basename(file) === 'routes.tsx'
      ? sources.at(file).later.map((to) => ({ set: path.basename(room), file: to, outside: isOutside }))
      : [...source.matchAll(PART)].map(([, set = '', to = '']) => ({ set, file: path.join(room, to), outside: false }));
  });
}

const inWeb = (paths: readonly string[]) => paths.map((each) => path.join(web, each));

/** A set of texts: for what it is, and which other is there before. */
export interface TextSet {
  readonly modules: ReadonlySet<string>;
  readonly before?: 'entry' | 'workspace';
  /** The features whose texts it has. */
  readonly features: readonly string[];
}

/**
 * The sets of texts: of the entry with the sign-in, of the workspace with all of the entry, of the screens of each room,
 * and of parts of the workspace. A set has all that its modules name but for what is there before: a page outside the
 * workspace is shown where the texts of the entry are, a screen where those of the workspace are.
 */
export function textSets(): Map<string, TextSet> {
  const sources = new Sources();
  const roots = rootsIn(sources);
  const ownTexts = new Set(roots.map(({ file }) => file));
  const entry = sources.closureOf(inWeb([ENTRY, ...SIGN_IN]), { roots: ownTexts, later: false });
  const workspace = new Set([...entry, ...sources.closureOf(inWeb(WORKSPACE), { roots: ownTexts })]);
  // What is there from the beginning has neither lists nor forms: the features of its endpoints are no words of it.
  const isWeb = (file: string) => !file.startsWith(contract);
  const ofFirst = (modules: ReadonlySet<string>): string[] => sources.featuresOf([...modules].filter(isWeb));
  const first = { entry: ofFirst(entry), workspace: ofFirst(workspace) };
  const found = new Map<string, TextSet>([
    ['entry', { modules: entry, features: first.entry }],
    ['workspace', { modules: workspace, features: first.workspace }],
  ]);
  for (const [set, all] of Map.groupBy(roots, (root) => root.set)) {
    const files = all.map(({ file }) => file);
    const before = all.some(({ outside }) => outside) ? 'entry' : 'workspace';
    const known = new Set([...(before === 'entry' ? entry : workspace)].filter(isWeb));
    const modules = sources.closureOf(files, { roots: ownTexts, known });
    const features = sources.featuresOf(modules).filter((feature) => !first[before].includes(feature));
    found.set(set, { modules, before, features });
  }
  return found;
}
