import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { features, phrasesFolder, textsOf } from '@sonnenwarte/phrases/check';
import { phraseLanguages } from '@sonnenwarte/phrases/languages';
import { typographic } from '@sonnenwarte/phrases/typography';

// Text by text in the file as it stands, so that its order and its layout stay.
for (const feature of features()) {
  for (const language of phraseLanguages) {
    const texts = textsOf(feature, language);
    if (!texts) continue;
    const file = join(phrasesFolder, feature, `${language}.json`);
    let content = readFileSync(file, 'utf8');
    for (const text of texts.values()) {
      content = content.replaceAll(JSON.stringify(text), () => JSON.stringify(typographic(text, language)));
    }
    if (content === readFileSync(file, 'utf8')) continue;
    writeFileSync(file, content);
    process.stdout.write(`${feature}/${language}.json\n`);
  }
}
