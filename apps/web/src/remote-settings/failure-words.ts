import type { CommandState } from '@sonnenwarte/contract/commands/command';
import type { TFunction } from 'i18next';

/** The codes with which a device answers (0 is success), each with words of its own. */
const codes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

interface Ended {
  readonly state: CommandState | 'waiting';
  readonly code: number | null;
  readonly message: string;
}

/** Settings by their names, as the reader knows them. */
type SettingLabels = Readonly<Record<string, string>>;

/** What the code of a device means; empty where it gave none. */
function codeWords(t: TFunction, code: number | null): string {
  if (code === null || code === 0) return '';
  return t(`setting-screens.code.${codes.find((each) => each === code) ?? 'other'}`);
}

function stateWords(t: TFunction, { state }: Ended): string {
  return state === 'timedOut' || state === 'expired' || state === 'differs' || state === 'cancelled'
    ? t(`setting-screens.ended.${state}`)
    : '';
}

/** What the device said to it, with settings by their labels; nothing where it only says which, and that is known. */
function said(message: string, labels: SettingLabels): string {
  const names = Object.keys(labels);
  if (names.length === 1 && message === names[0]) return '';
  return names
    .toSorted((left, right) => right.length - left.length)
    .reduce((text, name) => text.replaceAll(name, labels[name] ?? name), message);
}

const joined = (parts: readonly string[]): string => parts.filter((each) => each !== '').join(' · ');

/** Why a command did not come through: the number that the device gave, what it means, and what the device said to it. */
export function failureWords(t: TFunction, ended: Ended, labels: SettingLabels = {}): string {
  const { code } = ended;
  const words = codeWords(t, code);
  const why = words === '' ? stateWords(t, ended) : t('setting-screens.codeWords', { code: String(code), words });
  return joined([why, said(ended.message, labels)]);
}

/** The same beside a word that names the number already. */
export const failureReason = (t: TFunction, ended: Ended, labels: SettingLabels = {}): string =>
  joined([codeWords(t, ended.code) || stateWords(t, ended), said(ended.message, labels)]);
