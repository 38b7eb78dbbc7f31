import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Why a message was not taken, in words; the portal's own name for it where it is newer than the words. */
export function useReason(): (refusedFor: string) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (refusedFor) => {
      const key = `test-log.reason.${refusedFor}`;
      return i18n.exists(key) ? t(key as never) : refusedFor;
    },
    [t, i18n],
  );
}
