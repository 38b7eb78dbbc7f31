import { attention } from '@sonnenwarte/contract/fleet/fleet';
import type { State } from '@sonnenwarte/contract/status';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useLossText } from '../insight/loss-text.ts';

export interface Costliest {
  readonly text: string;
  /** Of the plant that the sentence names. */
  readonly state: State;
}

/** What costs most of all that needs attention, in one sentence; undefined where no loss is known in money. */
export function useCostliest(): Costliest | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  const lossText = useLossText();
  const first = useQuery(read(attention, {})).data?.plants[0];
  const week = first?.week;
  const found = week?.reasons[0]?.reason;
  if (!first?.isLosing || !week?.lossMoney || found === undefined) return undefined;
  const text = t('fleet.costliest', {
    name: first.name,
    money: format.money(week.lossMoney, week.currency),
    reason: lossText(found).reason,
  });
  return { text, state: first.state };
}
