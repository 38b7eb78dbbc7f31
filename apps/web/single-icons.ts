import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const PACKAGE = '@tabler/icons-react';
const icons = path.join(
  path.dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`)),
  'dist/esm/icons',
);

const IMPORTS = /import \{([^}]+)\} from '@tabler\/icons-react';/g;

/** The imports of icons from the file that has all of them as imports from the file of each. */
export function singleImports(code: string, isIcon: (name: string) => boolean): string {
  return code.replaceAll(IMPORTS, (_, list: string) => {
    const names = list
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    const types = names.filter((name) => name.startsWith('type '));
    const rest = names.filter((name) => !isIcon(name) && !types.includes(name));
    if (rest.length > 0) throw new Error(`${PACKAGE} has no files of their own for ${rest.join(', ')}`);
    return [
      ...names.filter(isIcon).map((name) => `import ${name} from '${PACKAGE}/dist/esm/icons/${name}.mjs';`),
      ...(types.length > 0
        ? [`import type { ${types.map((name) => name.slice(5)).join(', ')} } from '${PACKAGE}';`]
        : []),
    ].join(' ');
  });
}

/**
 * Icons stand in the file of who shows them. By way of the package's one file with all of them, who shows one needs each
 * icon of the whole portal.
 */
export function singleIcons(): Plugin {
  return {
    name: 'single-icons',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx?$/, code: PACKAGE },
      handler: (code) => ({
        code: singleImports(code, (name) => existsSync(path.join(icons, `${name}.mjs`))),
        map: null,
      }),
    },
  };
}
