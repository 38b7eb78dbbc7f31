import { statSync } from 'node:fs';
import path from 'node:path';
import type { Rolldown } from 'vite';
import { FIRST_WEIGHT, type Needs, OPENED_WEIGHT, SCREEN_WEIGHT, sharedFiles } from './shared-files.ts';

type ModuleInfo = Rolldown.ModuleInfo;
type Look = (id: string) => ModuleInfo | null;

/** What begins, what nobody who is not signed in goes without, and what everybody who is signed in begins with. */
export const ENTRY = 'src/app.tsx';
/** Asks for what the first page needs, before the rest has come. */
const AHEAD = 'src/main.tsx';
export const SIGN_IN = ['src/login/login-screen.tsx'];
export const WORKSPACE = ['src/shell/workspace-frame.tsx', 'src/fleet/home-screen.tsx'] as const;
const STYLES = /\.css$/;
/** What a list is drawn with; of the rest, forms have a part as well. */
const LISTS = /[\\/]src[\\/](?:blocks[\\/]list|sites)[\\/](?!edge-shadow|pager|tool-)/;
/** Small blocks and icons that other screens need as well. */
const SMALL = /[\\/](?:src[\\/](?:blocks[\\/](?:form|show)|client|format)|@tabler)[\\/]/;

/** What calls ask and answer. */
const CONTRACT = /[\\/]packages[\\/]contract[\\/]/;

/** The screens that most begin with, by what each adds to the workspace. */
export const FIRST = {
  owner: 'src/fleet/owner-home.tsx',
  fleet: 'src/fleet/fleet-home.tsx',
  devices: 'src/fleet/devices-home.tsx',
  'fleet-tiles': 'src/fleet/fleet-tiles.tsx',
  plant: 'src/sites/site-screen.tsx',
  list: 'src/sites/site-list-screen.tsx',
} as const;
type First = keyof typeof FIRST;
const firsts = Object.keys(FIRST) as First[];
/** Of these, what they alone need is a file of its own; that of other screens is shared among all. */
export const APART: readonly First[] = ['owner', 'fleet', 'devices', 'fleet-tiles'];
/** The live picture of a plant: of its owner's home, and of its own page. */
const LIVE: readonly First[] = ['owner', 'plant'];
/** Many plants, or many devices. */
const FLEETS: readonly First[] = ['fleet', 'devices'];
/** What is done with plants. */
const PLANTS: readonly First[] = ['plant', 'list'];

/** The file of a module, by which of these screens need it; `undefined` is shared among all others. */
function fileOf(needers: readonly First[], id: string): string | undefined {
  const [only, ...others] = needers;
  if (only === undefined || PLANTS.some((first) => id === path.join(root, FIRST[first]))) return undefined;
  // One more file of styles would be one more request.
  const isOfLists = only === 'list' && LISTS.test(id);
  if (STYLES.test(id) && needers.every((each) => PLANTS.includes(each)) && !isOfLists) return 'workspace';
  if (others.length === 0) {
    if (STYLES.test(id) && only === 'fleet') return 'workspace';
    if (APART.includes(only)) return only;
    if (only === 'list') return isOfLists ? 'lists' : 'plants';
    // By way of what other screens share of these, a plant would need all that those have besides.
    return SMALL.test(id) ? 'plants' : undefined;
  }
  // What calls answer is asked for by other screens as well, which do without the live picture.
  if (needers.every((each) => LIVE.includes(each))) return CONTRACT.test(id) ? 'workspace' : 'owner';
  if (needers.every((each) => FLEETS.includes(each))) return 'fleet';
  return needers.every((each) => PLANTS.includes(each)) ? 'plants' : 'workspace';
}

/** Begins with the workspace on a phone. */
const PHONE = 'src/shell/phone-bars.tsx';

/** Code of the widgets with behaviour that browsers lack, and all that it needs: one file, whichever of them a screen needs. */
const WIDGETS =
  /[\\/]node_modules[\\/](?:react-aria|react-aria-components|react-stately|@internationalized|@react-aria|@swc|aria-hidden|clsx|use-sync-external-store)[\\/]/;

/** Files that name the screens of a room. */
const SCREENS = new Set(['routes.tsx', 'homes.ts']);

/** Files that whoever is signed in has anyway, or needs on most screens. */
const OF_ALL: ReadonlySet<string> = new Set(['ahead', 'base', 'workspace', 'plants', 'widgets']);

/** Of the bundler; everything needs it. */
const RUNTIME = 'rolldown/runtime';

const root = import.meta.dirname;
const inRoot = (paths: readonly string[]): string[] => paths.map((each) => path.join(root, each));

/** All that a module needs before it runs. */
function closureOf(starts: readonly string[], look: Look): Set<string> {
  const found = new Set<string>();
  const open = [...starts];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(look(id)?.importedIds ?? []));
  }
  return found;
}

/** All that comes with a module: with each that it needs come the others of that one's file, and what those need. */
function fetchedWith(start: string, look: Look, besides: (id: string) => readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(look(id)?.importedIds ?? []), ...besides(id).filter((each) => !found.has(each)));
  }
  return found;
}

/** All modules that are fetched on their own, from a start on: screens and pages, and what they open. */
function fetchedLater(start: string, look: Look): { id: string; isScreen: boolean }[] {
  const found = new Set<string>();
  const open = [start];
  const later = new Map<string, boolean>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    const info = look(id);
    const isScreen = SCREENS.has(path.basename(id));
    for (const each of info?.dynamicallyImportedIds ?? []) later.set(each, isScreen || later.get(each) === true);
    open.push(...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? []));
  }
  return [...later].map(([each, isScreen]) => ({ id: each, isScreen }));
}

function filesOf(look: Look): Map<string, string> {
  const main = path.join(root, AHEAD);
  const of = (paths: readonly string[]) => closureOf(inRoot(paths), look);
  const [ahead, entry, signIn, workspace] = [of([AHEAD]), of([ENTRY]), of(SIGN_IN), of(WORKSPACE)];
  const files = new Map<string, string>();
  const put = (ids: Iterable<string>, file: string) => {
    for (const id of ids) if (!files.has(id)) files.set(id, file);
  };
  put(ahead, 'ahead');
  put(
    [...entry, ...[...signIn].filter((id) => workspace.has(id))].filter((id) => STYLES.test(id)),
    'ahead',
  );
  put(entry, 'base');
  put(
    [...signIn].filter((id) => workspace.has(id)),
    'base',
  );
  put(signIn, 'sign-in');
  put(workspace, 'workspace');
  const phone = path.join(root, PHONE);
  put(
    [...of([PHONE])].filter((id) => id !== phone),
    'workspace',
  );
  const closures = firsts.map((first) => ({ first, modules: of([FIRST[first]]) }));
  for (const id of new Set(closures.flatMap(({ modules }) => [...modules]))) {
    const file = fileOf(
      closures.filter(({ modules }) => modules.has(id)).map(({ first }) => first),
      id,
    );
    if (file !== undefined) put([id], file);
  }
  const later = fetchedLater(main, look);
  const ofPlants = [...files].filter(([, file]) => file === 'plants').map(([id]) => id);
  for (const { id } of later)
    put(
      [...closureOf([id], look)].filter((each) => WIDGETS.test(each)),
      'widgets',
    );
  const withWidgets = new Map<string, boolean>();
  /** Stays apart, so that nothing else brings the widgets along. */
  const needsWidgets = (id: string): boolean => {
    const known = withWidgets.get(id) ?? [...closureOf([id], look)].some((each) => files.get(each) === 'widgets');
    withWidgets.set(id, known);
    return known;
  };
  // Whoever fetches the file of plants would fetch what it needs as well.
  put(
    ofPlants.flatMap((id) => [...closureOf([id], look)]).filter((each) => !needsWidgets(each)),
    'plants',
  );
  const besides = Map.groupBy(files.keys(), (id) => files.get(id));
  const begun = new Set(inRoot(Object.values(FIRST)));
  const needs: Needs[] = later.map(({ id, isScreen }) => ({
    id,
    weight: begun.has(id) ? FIRST_WEIGHT : isScreen ? SCREEN_WEIGHT : OPENED_WEIGHT,
    modules: [...fetchedWith(id, look, (each) => besides.get(files.get(each)) ?? [])].filter(
      (each) => !files.has(each) && !needsWidgets(each),
    ),
  }));
  const brought = new Map<string, string>();
  const brings = (id: string): string => {
    const known =
      brought.get(id) ??
      [...new Set([...closureOf([id], look)].flatMap((each) => files.get(each) ?? []))]
        .filter((file) => !OF_ALL.has(file))
        .sort()
        .join();
    brought.set(id, known);
    return known;
  };
  const shared = sharedFiles(needs, (id) => ({
    bytes: STYLES.test(id) ? statSync(id).size : (look(id)?.code?.length ?? 0),
    imports: look(id)?.importedIds ?? [],
    brings: brings(id),
  }));
  for (const [id, file] of shared) files.set(id, file);
  return files;
}

/**
 * Puts what every first page needs into one file, what the sign-in and the workspace add to it into one each, and what
 * several screens share into few, so that a first page takes few requests and many small modules compress together.
 */
export function firstPages(): (id: string, context: { getModuleInfo(id: string): ModuleInfo | null }) => string | null {
  let files: Map<string, string> | undefined;
  return (id, context) => {
    files ??= filesOf((of) => context.getModuleInfo(of));
    return id.includes(RUNTIME) ? 'ahead' : (files.get(id) ?? null);
  };
}
