import { type GrantDevice, grantList } from '@sonnenwarte/contract/user-management/grants';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ActionButtons } from '../blocks/action-buttons.tsx';
import { Badge } from '../blocks/badge.tsx';
import { type Column, DataTable, useTableQuery } from '../blocks/data-table.tsx';
import { EmptyState } from '../blocks/empty-state.tsx';
import { SearchFilter } from '../blocks/filters.tsx';
import type { ListState } from '../blocks/list-state.ts';
import { useSelection } from '../blocks/selection.tsx';
import { read } from '../client/queries.ts';
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

function useColumns(): readonly Column<GrantDevice>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { field: 'sn', header: t('user-management.grants.field.sn'), cell: (row) => row.sn, card: 'title' },
      {
        field: 'model',
        header: t('user-management.grants.field.model'),
        cell: (row) => row.model || '–',
        card: 'foot',
      },
      { field: 'site', header: t('user-management.grants.field.site'), cell: (row) => row.site ?? '–', card: 'foot' },
      {
        field: 'granted',
        header: t('user-management.grants.field.granted'),
        cell: (row) => (
          <Badge tone={row.granted ? 'good' : 'neutral'}>
            {t(row.granted ? 'user-management.grants.yes' : 'user-management.grants.no')}
          </Badge>
        ),
        card: 'aside',
      },
    ],
    [t],
  );
}

/** Devices of an integrator, or all devices; chosen ones are granted or taken away together. */
export function GrantedDevices({ id, granted }: { id: string; granted: boolean }): ReactNode {
  const { t } = useTranslation();
  const devices = useDrawerList(id, granted);
  const query = useTableQuery(read(grantList, devices.value), (answer) => ({
    rows: answer.devices,
    total: answer.total,
  }));
  const count = useQuery(read(grantList, devices.value)).data?.grantedTotal;
  const columns = useColumns();
  const chosen = useSelection();
  return (
    <div className={styles.stack}>
      <div className={styles.line}>
        <SearchFilter list={devices} field="content" label={t('user-management.grants.search')} />
        {count !== undefined && <span className={styles.count}>{t('user-management.grants.count', { count })}</span>}
      </div>
      <DataTable
        name={t('user-management.action.grants')}
        storedAs="grants"
        columns={columns}
        rowKey={(row) => row.id}
        rowName={(row) => row.sn}
        query={query}
        list={devices}
        selection={{
          ...chosen,
          actions: (
            <ActionButtons table={grantActions} row={{ id, keys: chosen.keys, granted }} small onDone={chosen.clear} />
          ),
        }}
        empty={
          <EmptyState
            text={t(
              devices.filters > 0 || !granted ? 'user-management.grants.noMatch' : 'user-management.grants.empty',
            )}
          />
        }
      />
    </div>
  );
}
