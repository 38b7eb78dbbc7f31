import type { Plugin, Rolldown } from 'vite';
import { isPortal } from './built-root.ts';

type Bundle = Rolldown.OutputBundle;

/** Files that need each other in a ring, the first one named again at the end; undefined where there are none. */
function ringIn(bundle: Bundle): string[] | undefined {
  const importsOf = (name: string): readonly string[] => {
    const file = bundle[name];
    return file?.type === 'chunk' ? file.imports : [];
  };
  const done = new Set<string>();
  const ringFrom = (name: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of importsOf(name)) {
      const ring = ringFrom(next, [...way, name]);
      if (ring) return ring;
    }
    done.add(name);
    return undefined;
  };
  for (const name of Object.keys(bundle)) {
    const ring = ringFrom(name, []);
    if (ring) return ring;
  }
  return undefined;
}

/** Ends the build where files need each other in a ring: one of them would run before what it needs is there. */
export function acyclicFiles(): Plugin {
  return {
    name: 'acyclic-files',
    apply: isPortal,
    generateBundle(_, bundle) {
      const ring = ringIn(bundle);
      if (ring) this.error(`files of the build need each other: ${ring.join(' > ')}`);
    },
  };
}
