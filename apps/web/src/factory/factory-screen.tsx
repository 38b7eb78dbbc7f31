import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { useTabQuery } from '../tabs/tab-context.ts';
import { BatchList } from './batch-list.tsx';
import styles from './factory.module.css';
import { ManufacturerList } from './manufacturer-list.tsx';
import { UnitList } from './unit-list.tsx';
import { WarrantyList } from './warranty-list.tsx';

const views = ['units', 'batches', 'manufacturers', 'warranties'] as const;

const lists = {
  units: UnitList,
  batches: BatchList,
  manufacturers: ManufacturerList,
  warranties: WarrantyList,
} as const;

/** What left the factory: units, batches, their manufacturers, and the warranty of models, each at its own address. */
export function FactoryScreen(): ReactNode {
  const { t } = useTranslation();
  const [query, setQuery] = useTabQuery();
  const view = views.find((each) => each === query.view) ?? 'units';
  const List = lists[view];
  return (
    <List
      choice={
        <div className={styles.views}>
          <Segmented
            label={t('factory.view.label')}
            value={view}
            options={views.map((value) => ({ value, label: t(`factory.view.${value}`) }))}
            onChange={(next) => setQuery(next === 'units' ? {} : { view: next })}
          />
        </div>
      }
    />
  );
}
