import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Endpoint, writes } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import { type Route, routes } from '@sonnenwarte/contract/routes';
import { describe, expect, test } from 'vitest';
import { lineOf } from './references.ts';
import { type Source, sourceOf, textOf } from './syntax.ts';
import { type Contract, Guarding } from './unguarded.ts';

const PACKAGE = '@sonnenwarte/contract/';
const folder = join(import.meta.dirname, '..');
const sources: readonly Source[] = globSync('**/*.{ts,tsx}', { cwd: folder })
  .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
  .map((file) => sourceOf(file, readFileSync(join(folder, file), 'utf8')));

const isEndpoint = (value: unknown): value is Endpoint => (allEndpoints as readonly unknown[]).includes(value);

const importedFrom = new Set(
  sources.flatMap(({ nodes }) =>
    nodes.flatMap((node) => (node.type === 'ImportDeclaration' ? [textOf(node.source) ?? ''] : [])),
  ),
);
const modules = new Map<string, Record<string, unknown>>(
  await Promise.all(
    [...importedFrom]
      .filter((from) => from.startsWith(PACKAGE))
      .map(async (from) => [from, (await import(from)) as Record<string, unknown>] as const),
  ),
);
const endpointOf = (of: string): Endpoint | undefined => {
  const [module = '', name = ''] = of.split('#');
  const value = modules.get(module)?.[name];
  return isEndpoint(value) ? value : undefined;
};
const codesByModule = new Map(
  [...modules].map(([module, exported]) => {
    const named = Object.entries(exported).flatMap(([name, value]) => (isEndpoint(value) ? [[name, value.code]] : []));
    return [module, Object.fromEntries(named) as Record<string, PermissionCode | undefined>];
  }),
);
const routeCodes = new Map((routes as readonly Route[]).map(({ name, code }) => [name, code]));
const contract: Contract = {
  endpointsOf: (module) => codesByModule.get(module) ?? {},
  routeCode: (route) => routeCodes.get(route),
};

const guarding = new Guarding(sources, contract);
const uses = guarding.uses();
const unguardedIn = (all: readonly Source[]): string[] =>
  new Guarding(all, contract).unguarded().map(({ at, of, code, openedBy }) => {
    const openers = openedBy.length === 0 ? '' : `, opened by ${openedBy.join(' ')}`;
    return `${at} ${of} needs ${code}${openers}`;
  });

describe('in the whole web app', () => {
  test('every element that leads to an endpoint or a screen with a permission code asks for this code', () => {
    expect(uses.length).toBeGreaterThan(40);
    expect(unguardedIn(sources)).toEqual([]);
  });

  test('every endpoint with a permission code that changes something is used by an element', () => {
    const used = new Set(uses.map(({ of }) => endpointOf(of)));
    const unused = allEndpoints.filter(
      (endpoint) =>
        endpoint.code !== undefined && writes(endpoint) && endpoint.auth === undefined && !used.has(endpoint),
    );
    expect(unused.map(({ method, path, code }) => `${method} ${path} ${code}`)).toEqual([]);
  });

  test('every code that guards an element is needed by an endpoint or a screen', () => {
    const needed = new Set([...allEndpoints.map(({ code }) => code), ...routeCodes.values()]);
    const idle = guarding.guards().filter(({ code }) => !needed.has(code as PermissionCode));
    expect(idle.map(({ source, code }) => `${source.file} ${code}`)).toEqual([]);
  });

  test('an endpoint is reached by its own name alone: no group, namespace, re-export or written path', () => {
    const isGroup = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && !isEndpoint(value) && Object.values(value).some(isEndpoint);
    const paths = allEndpoints.filter(({ code }) => code !== undefined).map(({ path }) => path);
    const found = sources.flatMap(({ file, bindings, dynamic, nodes }) => [
      ...bindings.flatMap(({ imported }) => {
        const exported = imported && modules.get(imported.from);
        const value = imported?.name === '*' ? exported : exported?.[imported?.name ?? ''];
        return isGroup(value) ? [`${file}: ${imported?.from} ${imported?.name}`] : [];
      }),
      ...dynamic.flatMap(({ from }) => (from.startsWith(PACKAGE) ? [`${file}: ${from}`] : [])),
      ...nodes.flatMap((node) => {
        if (node.type === 'ExportDefaultDeclaration') return [`${file}: default export`];
        if (node.type.startsWith('Export') && textOf(node.source)?.startsWith(PACKAGE)) return [`${file}: re-export`];
        const text = textOf(node);
        return text !== undefined && paths.some((path) => text.startsWith(path)) ? [`${file}: ${text}`] : [];
      }),
    ]);
    expect(found).toEqual([]);
  });
});

const guards = guarding.guards();

describe('a guard taken away is noticed, unless another asks for the same', () => {
  test.each(guards.filter(({ alone }) => alone).map((guard) => [lineOf(guard), guard.code, guard] as const))(
    '%s %s',
    (_, __, { source, node }) => {
      const other = node.type === 'Literal' ? "'iv:template'" : 'true';
      const text = source.text.slice(0, node.start) + other + source.text.slice(node.end);
      const changed = sourceOf(source.file, text);
      expect(unguardedIn(sources.map((each) => (each === source ? changed : each)))).not.toEqual([]);
    },
  );
});

const sample: Contract = {
  endpointsOf: (module) => (module === `${PACKAGE}things` ? { list: 'role:query', remove: 'role:delete' } : {}),
  routeCode: (route) => (route === 'things' ? 'role:query' : undefined),
};

/** What is unguarded in a screen whose route asks for `role:query`. */
function foundIn(body: string, more = ''): string[] {
  const screen = `
    import { list, remove } from '${PACKAGE}things';
    import { useState } from 'react';
    ${more}
    export function Screen() {
      const [asking, setAsking] = useState(false);
      const [chosen, setChosen] = useState();
      const can = useCan();
      const query = useQuery(read(list, {}));
      const write = useWrite(remove);
      const choose = (deed, row) => () => setChosen({ deed, row });
      const dialog = <ConfirmAction onConfirm={() => write.mutateAsync({})} />;
      ${body}
    }`;
  const routesFile = `
    export const screens = { things: lazy(async () => ({ default: (await import('./screen.tsx')).Screen })) };`;
  const files = [sourceOf('things/screen.tsx', screen), sourceOf('things/routes.tsx', routesFile)];
  return new Guarding(files, sample).unguarded().map(({ of, code }) => `${of.replace(PACKAGE, '')} ${code}`);
}

const openedBy = (opener: string): string => `return <>${opener}{asking && dialog}</>;`;
const actions = (code: string): string =>
  `const actions = (row) => [{ onSelect: choose('edit', row) }, { onSelect: choose('delete', row)${code} }];
   return <Table actions={actions}>{chosen?.deed === 'delete' && dialog}{chosen?.deed === 'edit' && <Form />}</Table>;`;
const hook = `function useThings() {
  const [open, setOpen] = useState(false);
  const write = useWrite(remove);
  return { add: () => setOpen(true), dialogs: open && <ConfirmAction onConfirm={write.mutateAsync} /> };
}`;
const menu = 'function Menu({ onPick, code }) { return <button onClick={() => onPick(true)} />; }';

describe('an element without its guard is found', () => {
  test.each([
    ['a button that acts', 'return <Button onClick={() => write.mutateAsync({})} />;'],
    ['a button that opens the dialog', openedBy('<Button onClick={() => setAsking(true)} />')],
    [
      'a guard around another element',
      openedBy('<Can code="role:delete"><p /></Can><Button onClick={() => setAsking(true)} />'),
    ],
    ['a guard with another code', openedBy('<Can code="role:edit"><Button onClick={() => setAsking(true)} /></Can>')],
    [
      'a second button beside a guarded one',
      openedBy(
        '<Can code="role:delete"><Button onClick={() => setAsking(true)} /></Can><i onClick={() => setAsking(true)} />',
      ),
    ],
    [
      'a guard around the dialog, but not the button',
      `return <><Button onClick={() => setAsking(true)} />{asking && (
         <Can code="role:delete"><ConfirmAction onConfirm={write.mutateAsync} /></Can>
       )}</>;`,
    ],
    ['an action of a menu', actions('')],
    ['an action of a menu with another code', actions(", code: 'role:edit'")],
    [
      'a hook whose dialog is opened by an open button',
      'const { add, dialogs } = useThings(); return <><Button onClick={add} />{dialogs}</>;',
      hook,
    ],
    ['a component that is given the way', openedBy('<Menu onPick={setAsking} />'), menu],
    [
      'a dialog that begins open',
      'const [open, setOpen] = useState(true); return <>{open && dialog}<Can code="role:delete"><Button onClick={() => setOpen(true)} /></Can></>;',
    ],
  ])('%s', (_, body, more = '') => {
    expect(foundIn(body, more)).toEqual(['things#remove role:delete']);
  });

  test('a link to a screen with a code', () => {
    expect(foundIn('return <ScreenLink to="things" />;')).toEqual([]);
    const other = sourceOf('other.tsx', 'export const Other = () => <ScreenLink to="things" />;');
    expect(new Guarding([other], sample).unguarded()).toMatchObject([{ of: 'route things', code: 'role:query' }]);
  });
});

describe('a guarded element is left alone', () => {
  test.each([
    ['a button that acts', 'return <Can code="role:delete"><Button onClick={() => write.mutateAsync({})} /></Can>;'],
    [
      'a button that opens the dialog',
      openedBy('<Can code="role:delete"><Button onClick={() => setAsking(true)} /></Can>'),
    ],
    ['a button that closes the dialog', openedBy('<Button onClick={() => setAsking(false)} />')],
    ['a question beforehand', openedBy("{can('role:delete') && <Button onClick={() => setAsking(true)} />}")],
    ['what the server says of the row', openedBy('{row.can.delete && <Button onClick={() => setAsking(true)} />}')],
    ['an action of a menu', actions(", code: 'role:delete'")],
    [
      'a hook whose dialog is opened by a guarded button',
      'const { add, dialogs } = useThings(); return <><Can code="role:delete"><Button onClick={add} /></Can>{dialogs}</>;',
      hook,
    ],
    [
      'a component that is given the way',
      openedBy('<Menu onPick={setAsking} />'),
      menu.replace(
        '<button onClick={() => onPick(true)} />',
        '<Can code="role:delete"><button onClick={() => onPick(true)} /></Can>',
      ),
    ],
    ['a reading call behind the route', 'return <ExportButton endpoint={list} />;'],
  ])('%s', (_, body, more = '') => {
    expect(foundIn(body, more)).toEqual([]);
  });
});
