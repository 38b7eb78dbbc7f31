import { readFileSync } from 'node:fs';
import { DEFAULT_LANGUAGE, isLanguage, type Language, languages, localeOf } from '@sonnenwarte/contract/languages';
import type { Notice } from './notice.ts';

interface Texts {
  readonly notice: Readonly<Record<Notice['kind'], { readonly title: string; readonly text: string }>>;
  readonly greeting: string;
  readonly when: string;
  readonly wasItYou: string;
  readonly unknownAddress: string;
  readonly unknownDevice: string;
}

const read = (language: Language): Texts =>
  JSON.parse(readFileSync(new URL(import.meta.resolve(`@sonnenwarte/phrases/json/notices/${language}`)), 'utf8'));

const texts = Object.fromEntries(languages.map((language) => [language, read(language)])) as Record<Language, Texts>;

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

export interface Reader {
  readonly name: string;
  readonly language: string | null;
  readonly timeZone: string | null;
}

export interface NoticeText {
  readonly language: Language;
  readonly title: string;
  /** One or two sentences. */
  readonly text: string;
  /** Body of a mail. */
  readonly letter: string;
}

/** A notice in the words of its reader, its time in the reader's zone. */
export function noticeText(notice: Notice, atMs: number, reader: Reader): NoticeText {
  const language = isLanguage(reader.language) ? reader.language : DEFAULT_LANGUAGE;
  const of = texts[language];
  const { kind, ...values } = notice;
  const address = 'address' in notice && notice.address !== '' ? notice.address : of.unknownAddress;
  const at = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: reader.timeZone ?? 'UTC',
  }).format(atMs);
  const device = 'device' in notice && notice.device !== '' ? notice.device : of.unknownDevice;
  const title = of.notice[kind].title;
  const text = filled(of.notice[kind].text, { ...values, address, device });
  const parts = [
    filled(of.greeting, { name: reader.name }),
    text,
    filled(of.when, { at }),
    ...('address' in notice ? [of.wasItYou] : []),
  ];
  return { language, title, text, letter: `${parts.join('\n\n')}\n` };
}
