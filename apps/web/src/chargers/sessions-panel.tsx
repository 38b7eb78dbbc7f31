import { sessions } from '@sonnenwarte/contract/chargers/chargers';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { useListState } from '../blocks/list/list-state.ts';
import { useListAnswer } from '../blocks/list/use-list.ts';
import { Panel } from '../blocks/show/panel.tsx';
import { useFormat } from '../format/use-format.ts';

const REFRESH_MS = 60_000;

/** Charging sessions of a plant, with where their energy came from and what was bought of it. */
export function SessionsPanel({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const state = useListState(sessions.input);
  const list = useListAnswer(
    sessions,
    { ...state, value: { ...state.value, condition: { ...state.value.condition, stationID } } },
    { refreshMs: REFRESH_MS },
  );
  const columns = useColumns(list, [
    { field: 'beganMs', card: 'title' },
    {
      field: 'endedMs',
      card: 'aside',
      cell: ({ endedMs }, plain) => (endedMs === null ? t('chargers.running') : plain),
    },
    { field: 'pile', card: 'foot' },
    { field: 'energyWh', card: 'figure' },
    { field: 'sunPercent', card: 'figure' },
    { field: 'batteryPercent', card: 'foot' },
    { field: 'gridPercent', card: 'foot' },
    {
      field: 'cost',
      card: 'figure',
      cell: ({ cost, noCost, currency }) =>
        noCost === null ? format.money(cost, currency) : t(`chargers.noCost.${noCost}`),
    },
  ] satisfies readonly ShownField<typeof sessions>[]);
  return (
    <Panel title={t('chargers.list.title')}>
      <DataTable list={list} columns={columns} name={`${t('routes.pile-edit')}: ${t('chargers.list.title')}`} />
    </Panel>
  );
}
