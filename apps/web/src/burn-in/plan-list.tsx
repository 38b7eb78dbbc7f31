import { planList } from '@sonnenwarte/contract/burn-in/burn-in';
import { judgedLimits } from '@sonnenwarte/contract/burn-in/plan';
import type { PlanRow } from '@sonnenwarte/contract/burn-in/rows';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { durationText } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { planActions, planAdding } from './plan-actions.tsx';

/** Plans that are kept by name. */
export function PlanList({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const plans = useList(planList);
  const shown = useMemo((): readonly ShownField<typeof planList>[] => {
    const stepsOf = ({ steps }: PlanRow) =>
      steps
        .map(({ minutes, percent }) => `${format.percent(percent)} ${durationText(minutes * 60_000, format.locale)}`)
        .join(' → ');
    return [
      { field: 'name', card: 'title' },
      {
        field: 'durationMinutes',
        card: 'aside',
        cell: ({ durationMinutes }) => durationText(durationMinutes * 60_000, format.locale),
      },
      { field: 'steps', card: 'foot', cell: stepsOf },
      {
        field: 'limits',
        cell: ({ limits }) => format.number(judgedLimits.filter((limit) => limits[limit] !== null).length),
      },
      { field: 'runs', card: 'figure' },
      { field: 'changedMs', optional: true },
    ];
  }, [format]);
  const columns = useColumns(plans, shown);
  return (
    <ListScreen
      title={label('aging-inverter')}
      list={plans}
      storedAs="burn-in.plans"
      choice={choice}
      actions={<ActionButtons table={planAdding} row={undefined} look="filled" />}
      filters={<ListSearch list={plans} />}
    >
      <DataTable
        list={plans}
        columns={columns}
        name={t('burn-in.plans.list.title')}
        storedAs="burn-in.plans"
        actions={planActions}
        rowName={({ name }) => name}
      />
    </ListScreen>
  );
}
