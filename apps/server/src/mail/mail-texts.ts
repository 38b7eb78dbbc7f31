import { readFileSync } from 'node:fs';
import { FALLBACK_LANGUAGE, isLanguage, type Language } from '@sonnenwarte/contract/languages';

/** Mails that the server writes; their texts are the phrases `mail.<name>.subject` and `mail.<name>.text`; `portal` is what they are signed with. */
export interface MailParams {
  resetPassword: { user: string; link: string; minutes: string; portal: string };
  confirmEmail: { user: string; link: string; days: string; portal: string };
  emailInUse: { user: string; link: string; portal: string };
  monthlyReport: { user: string; plant: string; month: string; link: string; portal: string };
}
export type MailName = keyof MailParams;

type Texts = Record<MailName, { subject: string; text: string }>;

const known = new Map<Language, Texts>();

function textsOf(language: Language): Texts {
  const there = known.get(language);
  if (there) return there;
  const file = new URL(import.meta.resolve(`@sonnenwarte/phrases/json/mail/${language}`));
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Texts;
  known.set(language, texts);
  return texts;
}

const filled = (text: string, params: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '');

/** Subject and text of a mail in a language, else in English. */
export function mailText<N extends MailName>(
  name: N,
  language: string | null,
  params: MailParams[N],
): { subject: string; text: string } {
  const { subject, text } = textsOf(isLanguage(language) ? language : FALLBACK_LANGUAGE)[name];
  return { subject: filled(subject, { ...params }), text: filled(text, { ...params }) };
}
