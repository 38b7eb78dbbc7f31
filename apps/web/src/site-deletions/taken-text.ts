import { useTranslation } from 'react-i18next';

/** What to say of dataloggers that plants do not get back; nothing where there are none. */
export function useTakenText(): (sns: readonly string[]) => string {
  const { t } = useTranslation();
  return (sns) => (sns.length === 0 ? '' : t('site-deletions.taken', { sns: sns.join(', ') }));
}
