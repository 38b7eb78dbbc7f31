import type { TrendGrouping } from '@sonnenwarte/contract/install-trend/install-trend';
import { useTranslation } from 'react-i18next';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';

/** Names the groups of a trend: countries and types in the reader's language, installers as they are called. */
export function useGroupName(): (by: TrendGrouping, group: string | null) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (by, group) => {
    if (group === null) return t('install-trend.others');
    if (group === '') return NOT_MEASURED;
    if (by === 'country') return format.country(group);
    return by === 'type' ? t(`sites.type.${group as '1'}`) : group;
  };
}
