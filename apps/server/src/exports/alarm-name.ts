import type { Language } from '@sonnenwarte/contract/languages';
import { knownPhrase, phraseText } from './phrase-text.ts';

/** Name of an alarm code; a code that the catalogue does not know shows as its number. */
export const alarmName = (code: number, language: Language): string =>
  knownPhrase(`alarms.${code}.name`, language) ?? phraseText('sites.device.alarmCode', language, { code });
