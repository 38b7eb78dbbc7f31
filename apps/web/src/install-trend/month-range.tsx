import type { list } from '@sonnenwarte/contract/install-trend/install-trend';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import type { FilteredList } from '../blocks/list/use-list.ts';
import { addMonths, localDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';

/** Spans in months that people ask for; all that there is besides. */
const spans = [12, 24, 36, 60, 120] as const;

const monthBefore = (months: number): string =>
  addMonths(`${localDay(Date.now(), localZone()).slice(0, 7)}-01`, -months).slice(0, 7);

/** The months up to now, or years by their name. */
export function MonthRange({ list: installed }: { list: FilteredList<typeof list> }): ReactNode {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const months = new Intl.NumberFormat(locale, { style: 'unit', unit: 'month', unitDisplay: 'long' });
  const { first, last, ...others } = installed.value.condition;
  const year = Number(localDay(Date.now(), localZone()).slice(0, 4));
  const years = Array.from({ length: 15 }, (_, index) => String(year - index));
  const span = spans.find((count) => first === monthBefore(count - 1));
  const value =
    last !== undefined && first?.slice(0, 4) === last.slice(0, 4) ? first.slice(0, 4) : span ? `-${span}` : '';
  return (
    <Select
      label={t('install-trend.range')}
      value={value}
      onChange={(chosen) => {
        const range = chosen.startsWith('-')
          ? { first: monthBefore(Number(chosen.slice(1)) - 1) }
          : chosen === ''
            ? {}
            : { first: `${chosen}-01`, last: `${chosen}-12` };
        installed.set({ condition: { ...others, ...range } });
      }}
      options={[
        { value: '', label: t('common.all') },
        ...spans.map((count) => ({ value: `-${count}`, label: months.format(count) })),
        ...years.map((each) => ({ value: each, label: each })),
      ]}
    />
  );
}
