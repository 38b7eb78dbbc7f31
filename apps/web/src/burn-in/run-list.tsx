import { batches, exportList, list } from '@sonnenwarte/contract/burn-in/burn-in';
import { runStates } from '@sonnenwarte/contract/burn-in/moves';
import type { RunRow } from '@sonnenwarte/contract/burn-in/rows';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Select } from '../blocks/form/select.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { RecordFilter } from '../blocks/list/record-filter.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTabQuery } from '../tabs/tab-context.ts';
import { Board } from './board.tsx';
import styles from './burn-in.module.css';
import { RunState } from './marks.tsx';
import { runActions, runAdding } from './run-actions.tsx';

const REFRESH_MS = 30_000;

/** The runs, and below them the rack of the one that is chosen: the first that runs where none is. */
export function RunList({ choice }: { choice: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const [query] = useTabQuery();
  const runs = useList(list, { refreshMs: REFRESH_MS });
  const { condition } = runs.value;
  const shown = useMemo(
    (): readonly ShownField<typeof list>[] => [
      { field: 'number', card: 'title', cell: ({ number }) => <strong>{`#${number}`}</strong> },
      { field: 'state', card: 'aside', cell: ({ state }) => <RunState state={state} /> },
      { field: 'rack', card: 'foot' },
      { field: 'batch', card: 'foot' },
      { field: 'planName', optional: true },
      { field: 'model', optional: true },
      { field: 'progress', card: 'foot', cell: (row) => <ProgressCell row={row} /> },
      { field: 'units' },
      { field: 'passed', card: 'figure' },
      { field: 'failed', card: 'figure' },
      { field: 'startedMs' },
      { field: 'endedMs', optional: true },
      { field: 'createdMs', optional: true },
    ],
    [],
  );
  const columns = useColumns(runs, shown);
  const chosen = query.run ?? runs.rows?.find(({ state }) => state === 'running')?.runID ?? runs.rows?.[0]?.runID;
  return (
    <div className={styles.page}>
      <ListScreen
        title={label('aging-inverter')}
        list={runs}
        choice={choice}
        actions={
          <>
            <ExportButton endpoint={exportList} list={runs} columns={columns} />
            <ActionButtons table={runAdding} row={undefined} look="filled" />
          </>
        }
        filters={
          <>
            <ListSearch list={runs} />
            <Select
              label={t('burn-in.field.state')}
              value={condition.states?.[0] ?? ''}
              options={[
                { value: '', label: t('common.all') },
                ...runStates.map((state) => ({ value: state, label: t(`burn-in.runState.${state}`) })),
              ]}
              onChange={(value) => {
                const { states: _, ...others } = condition;
                const state = runStates.find((each) => each === value);
                runs.set({ condition: { ...others, ...(state && { states: [state] }) } });
              }}
            />
            <RecordFilter
              list={runs}
              field="batchID"
              label={t('burn-in.field.batch')}
              source={{ endpoint: batches, search: t('burn-in.run.chooseBatch'), none: t('burn-in.run.noBatch') }}
            />
          </>
        }
      >
        <DataTable
          list={runs}
          columns={columns}
          actions={runActions}
          target={({ runID }) => ({ to: 'aging-inverter', query: { ...query, run: runID } })}
          rowName={({ number, rack }) => `#${number} ${rack}`}
        />
      </ListScreen>
      {chosen !== undefined && <Board key={chosen} runID={chosen} />}
    </div>
  );
}

function ProgressCell({ row: { progress, state, planName } }: { row: RunRow }): ReactNode {
  const format = useFormat();
  if (state === 'planned') return '–';
  return (
    <span className={styles.progress}>
      <progress max={100} value={progress} aria-label={planName} />
      <span>{format.percent(progress)}</span>
    </span>
  );
}
