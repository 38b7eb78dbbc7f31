import type { Endpoint, Input, ListEndpoint, Reading } from '@sonnenwarte/contract/endpoint';
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
  /** What that call is asked; nothing unless said otherwise. */
  asks?: Input<Endpoint>;
  refreshMs: number;
  /** A filter of the list beside them, by the name of its field, with what counts it; none where that is `null`. */
  further?: { readonly field: string; readonly countedAs: string; readonly label: string } | undefined;
}

/** All records, or those that somebody should look at, and how many these are. */
export function StateChips<const L extends ListEndpoint>({
  list,
  countedBy,
  asks = {},
  refreshMs,
  further,
}: StateChipsProps<L>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({ ...read(countedBy, asks), refetchInterval: refreshMs });
  const counted = data as z.output<typeof counts> | undefined;
  const { field = '', countedAs = '' } = further ?? {};
  const { states, state, [field]: isFurther, ...others }: Record<string, unknown> = { ...list.value.condition };
  const furtherCount = (data as Readonly<Record<string, number | null>> | undefined)?.[countedAs];
  // They count all; what other filters leave of them would cost a second walk through the whole list at each key.
  const isNarrowed = list.filters > [states, state, isFurther].filter((each) => each !== undefined).length;
  const label = (text: string, count: number | undefined) =>
    count === undefined || isNarrowed ? text : `${text} ${format.number(count)}`;
  return (
    <Segmented
      label={t('states.shown')}
      value={isFurther === true ? 'further' : states === undefined ? 'all' : 'troubled'}
      options={[
        { value: 'all', label: label(t('common.all'), counted?.total) },
        { value: 'troubled', label: label(t('states.troubled'), counted && counted.total - counted.normal) },
        ...(further !== undefined && (isFurther === true || typeof furtherCount === 'number')
          ? [{ value: 'further' as const, label: label(further.label, furtherCount ?? undefined) }]
          : []),
      ]}
      onChange={(chosen) => {
        const chips = { all: {}, troubled: { states: troubled }, further: { [field]: true } }[chosen];
        list.set({ condition: { ...others, ...chips } } as Partial<FilteredList<L>['value']>);
      }}
    />
  );
}
