import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wrongDirections } from './import-directions.ts';
import { importsIn } from './imports.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What refuses the forms that `importsIn` does not read. */
const RULES = ['lint/style/noCommonJs', 'plugin'];

const forms: Record<string, (from: string) => string> = {
  value: (from) => `import { x } from '${from}';\nexport const y = x;\n`,
  'type-only': (from) => `import type { X } from '${from}';\nexport type Y = X;\n`,
  'inline type': (from) => `import { type X } from '${from}';\nexport type Y = X;\n`,
  'side effect': (from) => `import '${from}';\n`,
  dynamic: (from) => `export const y = await import('${from}');\n`,
  're-export': (from) => `export { x } from '${from}';\n`,
  'type re-export': (from) => `export type { X } from '${from}';\n`,
  'import type in a type': (from) => `export type Y = import('${from}').X;\n`,
  require: (from) => `export const y = require('${from}');\n`,
};

const up = '../../../..';
const directions: { name: string; at: string; from: string[] }[] = [
  ...['contract', 'device-protocol', 'energy', 'phrases'].flatMap((name) => [
    {
      name: `packages/${name} -> apps`,
      at: `packages/${name}/src/deep`,
      from: [
        '@sonnenwarte/server/config',
        '@sonnenwarte/web/main',
        '@sonnenwarte/simulator',
        '@sonnenwarte/gateway/main',
        `${up}/apps/server/src/config.ts`,
        `${up}/apps/web/src/main.tsx`,
      ],
    },
    {
      name: `packages/${name} -> another package`,
      at: `packages/${name}/src/deep`,
      from: ['contract', 'device-protocol', 'energy', 'phrases']
        .filter((other) => other !== name)
        .flatMap((other) => [`@sonnenwarte/${other}/x`, `../../../${other}/src/x.ts`]),
    },
  ]),
  {
    name: 'contract -> anything but zod',
    at: 'packages/contract/src',
    from: ['react', 'node:fs', 'fs', 'kysely', 'zodiac'],
  },
  { name: 'energy -> Node', at: 'packages/energy/src', from: ['node:fs', 'node:http'] },
  { name: 'energy -> what it does not name', at: 'packages/energy/src', from: ['zod', '@types/node'] },
  { name: 'apps/server -> tools', at: 'apps/server/src/deep', from: [`${up}/scripts/x.ts`, `${up}/e2e/x.ts`] },
  { name: 'an app without a line -> packages', at: 'apps/new/src', from: ['@sonnenwarte/contract/errors'] },
  ...['server', 'web', 'simulator', 'gateway'].map((name) => ({
    name: `apps/${name} -> another app`,
    at: `apps/${name}/src/deep`,
    from: ['server', 'web', 'simulator', 'gateway']
      .filter((other) => other !== name)
      .flatMap((other) => [
        `@sonnenwarte/${other}`,
        `@sonnenwarte/${other}/x`,
        `../../../${other}/src/x.ts`,
        `${up}/apps/${other}/src/x.ts`,
      ]),
  })),
  {
    name: 'simulator -> contract and phrases',
    at: 'apps/simulator/src/deep',
    from: ['@sonnenwarte/contract/errors', '@sonnenwarte/phrases/x', `${up}/packages/contract/src/errors.ts`],
  },
  {
    name: 'web -> device-protocol and energy',
    at: 'apps/web/src/deep',
    from: ['@sonnenwarte/device-protocol/points/points', '@sonnenwarte/energy/x', `${up}/packages/energy/src/x.ts`],
  },
];

const allowed: { at: string; from: string[] }[] = [
  { at: 'packages/contract/src/deep', from: ['zod', 'zod/v4', './x.ts', '../x.ts', '../sites/sites.ts'] },
  { at: 'packages/device-protocol/src', from: ['protobufjs', 'node:zlib', './points.ts'] },
  { at: 'packages/energy/src', from: ['big.js', './counters.ts'] },
  { at: 'packages/energy/src/testing', from: ['fast-check', 'node:fs', '../counters.ts'] },
  {
    at: 'apps/server/src/deep',
    from: ['@sonnenwarte/contract/errors', '@sonnenwarte/energy/x', 'node:fs', '../sites/sites.ts', '../../x.ts'],
  },
  { at: 'apps/web/src/deep', from: ['@sonnenwarte/contract/errors', '@sonnenwarte/phrases/x', 'react', '../x.ts'] },
  {
    at: 'apps/simulator/src/deep',
    from: ['@sonnenwarte/device-protocol/points/points', '@sonnenwarte/energy/x', 'node:fs'],
  },
];

/** A copy of Biome's rules on a tree of planted files, so that no wrong file is ever written into the real one. */
let folder = '';
let reported: ReadonlySet<string>;

function plant(at: string, form: string, from: string): string {
  const path = plantedPath(at, form, from);
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), forms[form]?.(from) ?? '');
  return path;
}

function plantedPath(at: string, form: string, from: string): string {
  return `${at}/${`${form} ${from}`.replaceAll(/[^a-z0-9]+/gi, '-')}.ts`;
}

/** The files with an import that is refused. */
function refusedIn(cwd: string): Set<string> {
  const biome = join(root, 'node_modules', '.bin', 'biome');
  const done = spawnSync(biome, ['lint', '--max-diagnostics=none', '--reporter=json'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const report = JSON.parse(done.stdout) as { diagnostics: { category: string; location: { path: string } }[] };
  const linted = report.diagnostics.filter(({ category }) => RULES.includes(category));
  return new Set([
    ...linted.map(({ location }) => location.path),
    ...wrongDirections(importsIn(cwd)).map((line) => line.split(' imports ')[0] ?? ''),
  ]);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-directions-'));
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }));
  for (const plugin of config.plugins as string[])
    cpSync(join(root, plugin), join(folder, plugin), { recursive: true });
  for (const form of Object.keys(forms)) {
    for (const { at, from } of directions) for (const source of from) plant(at, form, source);
  }
  for (const { at, from } of allowed) for (const source of from) plant(at, 'value', source);
  reported = refusedIn(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(directions)('$name', ({ at, from }) => {
  test.each(Object.keys(forms))('is reported as %s import', (form) => {
    const unseen = from.filter((source) => !reported.has(plantedPath(at, form, source)));
    expect(unseen).toEqual([]);
  });
});

test.each(allowed)('what $at may import is not reported', ({ at, from }) => {
  expect(from.filter((source) => reported.has(plantedPath(at, 'value', source)))).toEqual([]);
});

test('the real tree has no wrong import', () => {
  expect([...refusedIn(root)]).toEqual([]);
});
