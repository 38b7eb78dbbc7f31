import { isBuiltin } from 'node:module';
import type { Import } from './imports.ts';

interface Direction {
  /** Packages of ours. */
  readonly ours: readonly string[];
  /** Packages from outside, and Node; without it, any. Tests import of these what they want. */
  readonly outside?: readonly string[];
}

/** What each package and app imports. One without a line imports nothing of ours; apps never import each other. */
const directions: Readonly<Record<string, Direction>> = {
  contract: { ours: [], outside: ['zod'] },
  'device-protocol': { ours: [], outside: ['protobufjs', 'node'] },
  energy: { ours: [], outside: ['big.js', 'suncalc', 'temporal-polyfill'] },
  phrases: { ours: [], outside: ['node'] },
  server: { ours: ['contract', 'device-protocol', 'energy', 'phrases'] },
  web: { ours: ['contract', 'phrases'] },
  simulator: { ours: ['device-protocol', 'energy'] },
};

export function wrongDirections(imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, of }) => {
    const from = workspaceOf(file);
    if (from === undefined) return [];
    const to = workspaceOf(of);
    if (to === from) return [];
    const { ours, outside } = directions[from] ?? { ours: [] };
    if (to !== undefined)
      return ours.includes(to) ? [] : [`${file} imports ${of}: ${from} imports ${list(ours)} of ours`];
    if (isTest(file)) return [];
    if (isOfTree(of)) return [`${file} imports ${of}: only tests reach beyond apps and packages`];
    if (outside === undefined || outside.includes(nameOf(of))) return [];
    return [`${file} imports ${of}: ${from} imports ${list(outside)} from outside`];
  });
}

export const isTest = (file: string): boolean => /\.test\.tsx?$|\/testing\//.test(file);

/** The name of the package or app that a path or a name leads to. */
function workspaceOf(place: string): string | undefined {
  return /^(?:(?:apps|packages)|@sonnenwarte)\/([^/]+)/.exec(place)?.[1];
}

const isOfTree = (place: string): boolean => /^(?:e2e|bench|scripts|\.\.)\//.test(place);

function nameOf(place: string): string {
  if (isBuiltin(place)) return 'node';
  return place.split('/', place.startsWith('@') ? 2 : 1).join('/');
}

const list = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : `only ${names.join(', ')}`);
