import type { Endpoint, ListEndpoint, Reading } from '@sonnenwarte/contract/endpoint';
import { type counts, troubled } from '@sonnenwarte/contract/status';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod/mini';
import { read } from '../../client/queries.ts';
import { useFormat } from '../../format/use-format.ts';
import { Segmented } from '../form/segmented.tsx';
import type { FilteredList } from './use-list.ts';

type Counting = Endpoint & Reading & { readonly result: typeof counts };

interface StateChipsProps<L extends ListEndpoint> {
  list: FilteredList<L>;
  /** Call that counts by state what the list would show without filters. */
  countedBy: Counting;
  refreshMs: number;
}

/** All records, or those that somebody should look at, and how many these are. */
export function StateChips<const L extends ListEndpoint>({
  list,
  countedBy,
  refreshMs,
}: StateChipsProps<L>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({ ...read(countedBy, {}), refetchInterval: refreshMs });
  const counted = data as z.output<typeof counts> | undefined;
  const { states, state, ...others }: Record<string, unknown> = { ...list.value.condition };
  // They count all; what other filters leave of them would cost a second walk through the whole list at each key.
  const isNarrowed = list.filters > (states === undefined ? 0 : 1) + (state === undefined ? 0 : 1);
  const label = (text: string, count: number | undefined) =>
    count === undefined || isNarrowed ? text : `${text} ${format.number(count)}`;
  return (
    <Segmented
      label={t('states.shown')}
      value={states === undefined ? 'all' : 'troubled'}
      options={[
        { value: 'all', label: label(t('common.all'), counted?.total) },
        { value: 'troubled', label: label(t('states.troubled'), counted && counted.total - counted.normal) },
      ]}
      onChange={(chosen) =>
        list.set({ condition: chosen === 'all' ? others : { ...others, states: troubled } } as Partial<
          FilteredList<L>['value']
        >)
      }
    />
  );
}
