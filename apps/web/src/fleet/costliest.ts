import { attention } from '@sonnenwarte/contract/fleet/fleet';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useLossText } from '../insight/loss-text.ts';

/** What costs most of all that needs attention, in one sentence; undefined where no loss is known in money. */
export function useCostliest(): string | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  const lossText = useLossText();
  const first = useQuery(read(attention, {})).data?.plants[0];
  const week = first?.week;
  const found = week?.reasons[0]?.reason;
  if (!first?.isLosing || !week?.lossMoney || found === undefined) return undefined;
  return t('fleet.costliest', {
    name: first.name,
    money: format.money(week.lossMoney, week.currency),
    reason: lossText(found).reason,
  });
}
