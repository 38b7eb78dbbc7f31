import { type GrantDevice, grantList } from '@sonnenwarte/contract/user-management/grants';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import type { ListState } from '../blocks/list/list-state.ts';
import { useSelection } from '../blocks/list/selection.tsx';
import { useListAnswer } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { grantActions } from './account-actions.tsx';
import styles from './user-management.module.css';

type Input = z.output<typeof grantList.input>;

/** Page and search of a list inside a drawer, which no address keeps. */
function useDrawerList(id: string, granted: boolean): ListState<Input> {
  const [value, setValue] = useState<Input>(() => z.parse(grantList.input, { id, condition: { granted } }));
  return useMemo(
    () => ({
      value,
      set: (change) =>
        setValue((current) => ({ ...current, ...('currentPage' in change ? {} : { currentPage: 1 }), ...change })),
      reset: () => setValue(z.parse(grantList.input, { id, condition: { granted } })),
      filters: value.condition.content === '' ? 0 : 1,
    }),
    [value, id, granted],
  );
}

const shown: readonly ShownField<typeof grantList>[] = [
  { field: 'sn', card: 'title' },
  { field: 'model', card: 'foot' },
  { field: 'site', card: 'foot' },
  { field: 'granted', card: 'aside', cell: (row) => <Granted row={row} /> },
];

function Granted({ row: { granted } }: { row: GrantDevice }): ReactNode {
  const { t } = useTranslation();
  return (
    <Badge tone={granted ? 'good' : 'neutral'}>
      {t(granted ? 'user-management.grants.yes' : 'user-management.grants.no')}
    </Badge>
  );
}

/** Devices of an integrator, or all devices; chosen ones are granted or taken away together. */
export function GrantedDevices({ id, granted }: { id: string; granted: boolean }): ReactNode {
  const { t } = useTranslation();
  const devices = useListAnswer(grantList, useDrawerList(id, granted));
  const count = devices.answer?.grantedTotal;
  const columns = useColumns(devices, shown);
  const chosen = useSelection();
  return (
    <div className={styles.stack}>
      <div className={styles.line}>
        <ListSearch list={devices} />
        {count !== undefined && <span className={styles.count}>{t('user-management.grants.count', { count })}</span>}
      </div>
      <DataTable
        list={devices}
        columns={columns}
        selection={{
          ...chosen,
          actions: (
            <ActionButtons table={grantActions} row={{ id, keys: chosen.keys, granted }} small onDone={chosen.clear} />
          ),
        }}
        empty={
          <EmptyState
            text={t(
              devices.filters > 0 || !granted
                ? 'user-management.grants.list.noMatch'
                : 'user-management.grants.list.empty',
            )}
          />
        }
      />
    </div>
  );
}
