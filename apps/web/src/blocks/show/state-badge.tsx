import { useTranslation } from 'react-i18next';
import { Badge } from './badge.tsx';

/** Whether an organisation or account may be used. */
export function StateBadge({ state }: { state: 'enabled' | 'disabled' }) {
  const { t } = useTranslation();
  return <Badge tone={state === 'enabled' ? 'good' : 'bad'}>{t(`organisations.state.${state}`)}</Badge>;
}
