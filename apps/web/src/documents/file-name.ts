import { type Language, languages } from '@sonnenwarte/contract/languages';

/** What a document is called after its file, as people would write it. */
export const nameOfFile = (fileName: string): string =>
  fileName
    .replace(/\.pdf$/i, '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
    .slice(0, 120);

/** The language that the name of a file ends with, for example `_DE` or `-zh_CN`. */
export function languageOfFile(fileName: string): Language | undefined {
  const plain = fileName.replace(/\.pdf$/i, '').toLowerCase();
  if (/[-_. ]zh$/.test(plain)) return 'zh_CN';
  return languages.find((language) => new RegExp(`[-_. ]${language.toLowerCase()}$`).test(plain));
}
