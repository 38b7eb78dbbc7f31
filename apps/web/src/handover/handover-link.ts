import type { Language } from '@sonnenwarte/contract/languages';

/** What the QR code holds: the page to sign up with code and language. */
export const handoverLink = (code: string, language: Language): string =>
  `${location.origin}/signUp?code=${encodeURIComponent(code)}&lang=${language}`;
