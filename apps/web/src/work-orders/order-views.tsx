import { LEVEL } from '@sonnenwarte/contract/levels';
import { orderCategories } from '@sonnenwarte/contract/work-orders/due-times';
import {
  type list,
  type OrderSummary,
  type OrderView,
  orderViews,
} from '@sonnenwarte/contract/work-orders/work-orders';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import type { FilteredList } from '../blocks/list/use-list.ts';
import { Button } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import styles from './orders.module.css';

type Filtered = FilteredList<typeof list>;
type Condition = Filtered['value']['condition'];

const withCondition = (condition: Partial<Condition>) => ({ condition }) as Parameters<Filtered['set']>[0];

/** Of what somebody asked itself these alone say something. */
const ofOwner: readonly OrderView[] = ['open', 'waiting', 'done', 'all'];

interface ViewsProps {
  list: Filtered;
  counts: OrderSummary['counts'] | undefined;
}

/** The parts of the list, with how many there are in each. */
export function OrderViews({ list: orders, counts }: ViewsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const isOwner = useGlobalState((state) => state.access === LEVEL.endUser);
  const known: Readonly<Partial<Record<OrderView, number>>> = counts ?? {};
  return (
    <div className={styles.views}>
      <Segmented
        label={t('work-orders.view.label')}
        value={orders.value.condition.view ?? 'open'}
        options={(isOwner ? ofOwner : orderViews).map((value) => {
          const count = known[value];
          return {
            value,
            label: t(`work-orders.view.${value}`),
            ...(count !== undefined && { count: format.number(count) }),
          };
        })}
        onChange={(view) => orders.set(withCondition({ ...orders.value.condition, view }))}
      />
    </div>
  );
}

/** One category of questions, or all. */
export function CategoryFilter({ list: orders }: { list: Filtered }): ReactNode {
  const { t } = useTranslation();
  const { category, ...others } = orders.value.condition;
  return (
    <Select
      className={styles.category}
      label={t('work-orders.filter.category')}
      value={category ?? ''}
      options={[
        { value: '', label: t('work-orders.filter.all') },
        ...orderCategories.map((value) => ({ value, label: t(`work-orders.category.${value}`) })),
      ]}
      onChange={(chosen) => {
        const next = orderCategories.find((each) => each === chosen);
        orders.set(withCondition({ ...others, ...(next !== undefined && { category: next }) }));
      }}
    />
  );
}

const words = {
  stationID: 'work-orders.filter.ofPlant',
  deviceID: 'work-orders.filter.ofDevice',
  incidentID: 'work-orders.filter.ofAlarm',
} as const;

/** What else an address narrows the list to, with the way to take it back. */
export function NarrowedTo({ list: orders }: { list: Filtered }): ReactNode {
  const { t } = useTranslation();
  const { condition } = orders.value;
  const named = (['stationID', 'deviceID', 'incidentID'] as const).filter((key) => condition[key] !== undefined);
  if (named.length === 0) return null;
  return (
    <p className={styles.narrowed}>
      {named.map((key) => (
        <span key={key}>
          {t(words[key])}
          <Button
            small
            look="plain"
            onClick={() => {
              const { [key]: _, ...others } = condition;
              orders.set(withCondition(others));
            }}
          >
            {t('work-orders.filter.show')}
          </Button>
        </span>
      ))}
    </p>
  );
}
