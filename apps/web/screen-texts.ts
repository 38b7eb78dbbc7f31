import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { textsOfFeatures } from '../../packages/phrases/src/files.ts';
import { phraseLanguages } from '../../packages/phrases/src/languages.ts';
import { phrasesFolder, textSets } from './text-sets.ts';

/** Fetched by what shows them, and not by key: the name of the file, and the feature. */
const APART = [
  ['errors', 'errors'],
  ['legal-texts', 'legal'],
] as const;

/** One file for each set and language: `de/members.json` has the texts of all features of the set. */
function filesOfSets(): { names: string[]; files: Map<string, string> } {
  const shown = [...textSets()].map(([name, { features }]) => [name, features] as const);
  const sets = [...shown, ...APART.map(([name, feature]) => [name, [feature]] as const)].filter(
    ([, all]) => all.length > 0,
  );
  const twice = sets.filter(([name], index) => sets.findIndex(([other]) => other === name) !== index);
  if (twice.length > 0) throw new Error(`two sets of texts are called ${twice.map(([name]) => name).join()}`);
  const files = sets.flatMap(([name, features]) =>
    phraseLanguages.map((language) => {
      const texts = textsOfFeatures(features, language);
      return [`${language}/${name}.json`, JSON.stringify(texts)] as const;
    }),
  );
  return { names: sets.map(([name]) => name), files: new Map(files) };
}

/**
 * Gives each screen its texts in one file per language: those of its room's set. All lie in a folder named by their
 * content, so that the app needs no list of files to ask for one, and they are kept for ever.
 */
export function screenTexts(): Plugin {
  let files = new Map<string, string>();
  let folder = 'texts';
  return {
    name: 'screen-texts',
    config(_, { command }) {
      const found = filesOfSets();
      if (command === 'build') {
        files = found.files;
        const hash = createHash('sha256')
          .update(JSON.stringify([...files]))
          .digest('base64url')
          .slice(0, 8);
        folder = `assets/texts-${hash}`;
      }
      const told = { at: `/${folder}`, sets: found.names };
      return { define: { 'import.meta.env.TEXTS': JSON.stringify(told) } };
    },
    generateBundle() {
      for (const [name, source] of files) this.emitFile({ type: 'asset', fileName: `${folder}/${name}`, source });
    },
    configureServer({ middlewares, watcher, ws }) {
      middlewares.use(`/${folder}/`, ({ url = '' }, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(filesOfSets().files.get(url.slice(1)) ?? '{}');
      });
      watcher.add(phrasesFolder);
      watcher.on('change', (file) => {
        if (file.startsWith(phrasesFolder)) ws.send({ type: 'full-reload' });
      });
    },
  };
}
