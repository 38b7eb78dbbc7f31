import type { Rolldown } from 'vite';

type ModuleInfo = Rolldown.ModuleInfo;
type Look = (id: string) => ModuleInfo | null;

export const ENTRY = '/src/main.tsx';
export const SIGN_IN = ['/src/login/login-screen.tsx'];
export const WORKSPACE = ['/src/shell/workspace-frame.tsx', '/src/fleet/home-screen.tsx'];

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

/**
 * Puts what every first page of the workspace needs into one file, and what it shares with sign-in into another, so that a
 * first page takes few requests and its many small modules compress together. Each set holds all that its modules need, but
 * for what the entry brings along: no two files need each other.
 */
export function firstPages(): (id: string, context: { getModuleInfo(id: string): ModuleInfo | null }) => string | null {
  let sets: { shared: Set<string>; workspace: Set<string> } | undefined;
  const find = (root: string, look: Look) => {
    const of = (paths: readonly string[]) =>
      closureOf(
        paths.map((path) => `${root}${path}`),
        look,
      );
    const [entry, signIn, workspace] = [of([ENTRY]), of(SIGN_IN), of(WORKSPACE)];
    const beyond = [...workspace].filter((id) => !entry.has(id));
    return {
      shared: new Set(beyond.filter((id) => signIn.has(id))),
      workspace: new Set(beyond.filter((id) => !signIn.has(id))),
    };
  };
  return (id, context) => {
    sets ??= find(import.meta.dirname, (of) => context.getModuleInfo(of));
    if (id.endsWith('.css')) return null;
    if (sets.shared.has(id)) return 'shared';
    return sets.workspace.has(id) ? 'workspace' : null;
  };
}
