import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Level, levels } from '@sonnenwarte/contract/levels';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import { passage, type Route, routes, routesOpenTo } from '@sonnenwarte/contract/routes';

/** Who asks: nobody who is signed in, or somebody at a level. */
export type Caller = 'signed out' | Level;
export const callers: readonly Caller[] = ['signed out', ...levels];

/** What a call was answered with: `ok`, an error number, or nothing where the case does not arise. */
export interface Answers {
  readonly own?: string;
  readonly stranger?: string;
  readonly missing?: string;
}

/** One call as it was measured over HTTP. */
export interface EndpointRow {
  readonly method: string;
  readonly path: string;
  readonly codes: readonly string[];
  readonly answers: Readonly<Record<string, Answers>>;
}

const cells = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [cells(head), cells(head.map(() => '---')), ...rows.map(cells)].join('\n');

const codes = Object.keys(permissions) as PermissionCode[];

const openByCode = (level: Level, code: PermissionCode): ReadonlySet<string> =>
  new Set(routesOpenTo(level, new Set(codes.filter((each) => each !== code))));

function routeCell(route: Route, caller: Caller): string {
  const { to } = passage(route.path, caller === 'signed out' ? undefined : caller);
  if (to === '/login') return 'login';
  if (to !== 'screen') return '–';
  const needsCode =
    route.code !== undefined && caller !== 'signed out' && !openByCode(caller, route.code).has(route.name);
  return needsCode ? 'code' : 'open';
}

const placeOf = (route: Route): string =>
  route.outside ? 'page' : route.menuOnly ? 'menu' : route.hidden ? 'hidden' : 'entry';

/** Every route with what the guard decides for everybody. */
export function routeSection(): string {
  const all: readonly Route[] = routes;
  const rows = all.map((route) => [
    `\`${route.path}\``,
    route.name,
    placeOf(route),
    route.code === undefined ? '' : `\`${route.code}\``,
    ...callers.map((caller) => routeCell(route, caller)),
  ]);
  return `## Routes

What the guard decides before it looks for a screen. \`open\`: the route opens. \`code\`: it opens to a session that holds the code. \`login\`: leads
to /login. \`–\`: says "No permissions!" and leads to /error/noPermissions. A route of the level's that has no screen yet leads to /error/404 and
has no menu entry; so does any path that is not listed.

${table(['path', 'name', 'place', 'code', ...callers.map(String)], rows)}
`;
}

function answerCell(answers: Answers | undefined): string {
  const all = [answers?.own, answers?.stranger, answers?.missing];
  const given = all.filter((answer) => answer !== undefined);
  if (given.length === 0) return '';
  return new Set(given).size === 1 ? (given[0] ?? '') : all.map((answer) => answer ?? '·').join(' / ');
}

/** Every call with what it was answered, by whom it was made and whose record it named. */
export function endpointSection(measured: readonly EndpointRow[]): string {
  const rows = measured.map(({ method, path, codes, answers }) => [
    `${method} \`${path}\``,
    codes.map((code) => `\`${code}\``).join(' or '),
    ...callers.map((caller) => answerCell(answers[String(caller)])),
  ]);
  return `## Endpoints

Measured over HTTP: \`ok\` or the error number. Three answers stand for an own record, a stranger's and a missing one; one answer is that of all
three, or of a call that names no record. A code binds the levels that can hold it.

${table(['call', 'code', ...callers.map(String)], rows)}
`;
}

const ENDPOINTS_HEADING = '## Endpoints';

/** The part about endpoints of a document that was written before; empty where there is none. */
export const endpointPartOf = (document: string): string => {
  const start = document.indexOf(ENDPOINTS_HEADING);
  return start === -1 ? '' : document.slice(start);
};

/** The whole of `docs/access.md`. */
export const accessDocument = (endpointPart: string): string =>
  `# Who may open and call what

Written by \`npm run docs:access\` from the contract; a test holds that it is up to date.

${routeSection()}${endpointPart === '' ? '' : `\n${endpointPart}`}`;

export const accessFile = new URL('../docs/access.md', import.meta.url);

export function writtenAccess(): string {
  try {
    return readFileSync(accessFile, 'utf8');
  } catch {
    return '';
  }
}

/** Calls every endpoint as everybody and answers what was measured. */
function measure(): EndpointRow[] {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-access-'));
  const file = join(folder, 'rows.json');
  try {
    const root = fileURLToPath(new URL('..', import.meta.url));
    const args = ['run', '--project', 'unit', 'apps/server/src/access/access.test.ts'];
    const env = { ...process.env, ACCESS_ROWS: file };
    execFileSync(join(root, 'node_modules/.bin/vitest'), args, { cwd: root, env, stdio: 'inherit' });
    return JSON.parse(readFileSync(file, 'utf8')) as EndpointRow[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) writeFileSync(accessFile, accessDocument(endpointSection(measure())));
