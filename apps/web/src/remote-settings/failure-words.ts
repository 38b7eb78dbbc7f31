import type { CommandState } from '@sonnenwarte/contract/commands/command';
import type { TFunction } from 'i18next';

/** The codes with which a device answers (0 is success), each with words of its own. */
const codes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

interface Ended {
  readonly state: CommandState | 'waiting';
  readonly code: number | null;
  readonly message: string;
}

/** Why a command did not come through: the number that the device gave, what it means, and what the device said to it. */
export function failureWords(t: TFunction, { state, code, message }: Ended): string {
  const known = codes.find((each) => each === code);
  const why = known
    ? t('setting-screens.codeWords', { code: known, words: t(`setting-screens.code.${known}`) })
    : code !== null && code !== 0
      ? t('setting-screens.codeWords', { code, words: t('setting-screens.code.other') })
      : state === 'timedOut' || state === 'expired' || state === 'differs' || state === 'cancelled'
        ? t(`setting-screens.ended.${state}`)
        : '';
  return [why, message].filter((each) => each !== '').join(' · ');
}
