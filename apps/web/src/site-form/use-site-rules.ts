import { type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReasonTexts } from '../blocks/form/endpoint-form.ts';
import type { SiteValues } from './site-values.ts';

/** What all three forms refuse in the same words, and how many rows of dataloggers the check has refused. */
export function useSiteRules(): {
  wrongRows: RefObject<number>;
  rules: {
    check: (values: SiteValues) => { modules: string | undefined };
    reasons: { modules: string; currency: string; 'purchaseMarket.zone': ReasonTexts };
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
      reasons: {
        modules: t('site-form.addDevice'),
        currency: t('site-form.price.currencyWrong'),
        'purchaseMarket.zone': {
          unknown: t('site-form.price.market.choose'),
          notOffered: t('site-form.price.market.otherCurrency'),
        },
      },
    },
  };
}
