import { type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteValues } from './site-values.ts';

/** What all three forms refuse in the same words, and how many rows of dataloggers the check has refused. */
export function useSiteRules(): {
  wrongRows: RefObject<number>;
  rules: {
    check: (values: SiteValues) => { modules: string | undefined };
    reasons: { modules: string; currency: string };
  };
} {
  const { t } = useTranslation();
  const wrongRows = useRef(0);
  return {
    wrongRows,
    rules: {
      check: () => ({
        modules: wrongRows.current > 0 ? t('site-form.module.checkRows') : undefined,
      }),
      reasons: { modules: t('site-form.addDevice'), currency: t('site-form.price.currencyWrong') },
    },
  };
}
