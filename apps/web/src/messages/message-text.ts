import type { MessageRow } from '@sonnenwarte/contract/messages/messages';
import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../format/alarm-text.ts';

/** What a message says in one line. */
export function useMessageText(): (message: MessageRow) => string {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  return ({ kind, event, code, count, subject }) => {
    if (kind === 'announcement') return subject;
    const values = { alarm: code === null ? '' : alarmText(code).name, place: subject, title: subject, count };
    // The contract says which events a kind has.
    return String(t(`messages.${kind}.${event}` as ParseKeys, values));
  };
}
