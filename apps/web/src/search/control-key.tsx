import { useTranslation } from 'react-i18next';

const MAC = /Mac|iPhone|iPad/;

/** The key that the system has for commands. */
export function ControlKey() {
  const { t } = useTranslation();
  return <kbd>{MAC.test(navigator.userAgent) ? '⌘' : t('search.key.control')}</kbd>;
}
