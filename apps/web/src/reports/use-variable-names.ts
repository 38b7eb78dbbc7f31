import { historyNames } from '@sonnenwarte/contract/sites/site-history';
import { useTranslation } from 'react-i18next';
import { usePointTexts } from '../devices/point-text.ts';
import { partsOf } from './report-values.ts';

/** What a variable of devices or plants is called. */
export function useVariableNames(): (variable: string) => string {
  const { t } = useTranslation();
  const points = usePointTexts();
  return (variable) => {
    if (variable.includes(':')) return points.label(partsOf(variable).name);
    switch (variable) {
      case 'selfUse':
        return t('sites.figure.selfUseWh');
      case 'income':
        return t('sites.figure.income');
      case 'saving':
        return t('sites.figure.saving');
      case 'paid':
        return t('sites.figure.paid');
    }
    const keys = historyNames[variable as keyof typeof historyNames] ?? [];
    return keys.map((key) => t(key)).join(' → ');
  };
}
