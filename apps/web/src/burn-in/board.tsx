import { board } from '@sonnenwarte/contract/burn-in/burn-in';
import { unitStates } from '@sonnenwarte/contract/burn-in/moves';
import type { RunRow } from '@sonnenwarte/contract/burn-in/rows';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Select } from '../blocks/form/select.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { KeyFigure } from '../blocks/show/key-figure.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { read } from '../client/queries.ts';
import { durationText } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './burn-in.module.css';
import { RunState } from './marks.tsx';
import { Profile } from './profile.tsx';
import { runActions } from './run-actions.tsx';
import { EmptyTile, Tile } from './tile.tsx';

/** So often the values of a rack that runs are read again. */
const VALUES_MS = 5_000;
const QUIET_MS = 60_000;

type Shown = Result<typeof board>;

/** The rack of a run, live: how far it is, what load is asked for, and each unit in its position. */
export function Board({ runID }: { runID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [state, setState] = useState<string>('');
  const { data, error, refetch } = useQuery({
    ...read(board, { runID }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data: shown } }) => (shown?.run.state === 'running' ? VALUES_MS : QUIET_MS),
  });
  if (!data) {
    return (
      <Panel>{error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <Skeleton height="20rem" />}</Panel>
    );
  }
  const { run, units } = data;
  const shown = units.filter((unit) => state === '' || unit.state === state);
  const present = unitStates.filter((each) => each === state || units.some((unit) => unit.state === each));
  return (
    <div className={styles.board}>
      <Panel
        title={`${t('burn-in.run.title', { number: `#${run.number}` })} · ${t('burn-in.board.title', { rack: run.rack })}`}
        actions={
          <>
            <RunState state={run.state} />
            <ActionButtons table={runActions} row={run} small />
          </>
        }
      >
        {error && <ErrorNotice error={error} retry={() => void refetch()} keepsShown />}
        <p className={styles.about}>
          <span translate="no">{[run.planName, run.batch, run.model].filter((each) => each !== '').join(' · ')}</span>
          {run.abortReason !== '' && <strong>{run.abortReason}</strong>}
          <span>{run.setsLoad ? t('burn-in.board.byPortal') : t('burn-in.board.byBank')}</span>
        </p>
        {run.limited > 0 && (
          <p className={styles.bad}>{t('burn-in.board.limited', { number: format.number(run.limited) })}</p>
        )}
        <Figures data={data} />
        <Profile steps={data.steps} durationMinutes={run.durationMinutes} atMinute={minuteOf(data)} />
        <div className={styles.filter}>
          <Select
            label={t('burn-in.field.state')}
            labelHidden
            value={state}
            options={[
              { value: '', label: t('burn-in.board.all') },
              ...present.map((each) => ({ value: each, label: t(`burn-in.unitState.${each}`) })),
            ]}
            onChange={setState}
          />
        </div>
        {shown.length === 0 && <EmptyState text={t('burn-in.board.empty')} />}
        <ul className={styles.rack}>
          {(state === '' ? placesOf(shown) : shown).map((unit) =>
            typeof unit === 'number' ? (
              <EmptyTile key={unit} position={unit} />
            ) : (
              <Tile key={unit.position} unit={unit} run={run} />
            ),
          )}
        </ul>
      </Panel>
    </div>
  );
}

/** Units by their positions, with the numbers of those between them on which there is nothing. */
const placesOf = (units: Shown['units']): (Shown['units'][number] | number)[] => {
  const byPosition = new Map(units.map((unit) => [unit.position, unit]));
  const last = Math.max(0, ...byPosition.keys());
  return Array.from({ length: last }, (_, place) => byPosition.get(place + 1) ?? place + 1);
};

const decimalsOfPercent = (percent: number): number =>
  [0, 1].find((each) => Number(percent.toFixed(each)) === percent) ?? 2;

const minuteOf = ({ run, nowMs }: Shown): number | undefined =>
  run.state !== 'running' || run.startedMs === null ? undefined : (nowMs - run.startedMs) / 60_000;

function Figures({ data: { run, step, nowMs } }: { data: Shown }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { startedMs, endsMs, endedMs } = run;
  const elapsedMs = startedMs === null ? 0 : Math.max(0, (endedMs ?? nowMs) - startedMs);
  const isOpen = run.state === 'running' && endsMs !== null;
  return (
    <div className={styles.figures}>
      {isOpen && step !== null && (
        <KeyFigure
          label={t('burn-in.board.step')}
          value={format.number(step.percent, decimalsOfPercent(step.percent))}
          unit="%"
          tone="pv"
          note={t('burn-in.board.until', { time: format.localTime(step.endsMs) })}
        />
      )}
      <KeyFigure
        label={t('burn-in.board.elapsed')}
        value={startedMs === null ? '–' : durationText(elapsedMs, format.locale)}
        note={`${t('burn-in.field.durationMinutes')}: ${durationText(run.durationMinutes * 60_000, format.locale)}`}
      />
      {isOpen && (
        <KeyFigure
          label={t('burn-in.board.remaining')}
          value={durationText(Math.max(0, endsMs - nowMs), format.locale)}
          note={t('burn-in.board.until', { time: format.localTime(endsMs) })}
        />
      )}
      <Counts run={run} />
    </div>
  );
}

function Counts({ run }: { run: RunRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <KeyFigure
        label={t('burn-in.field.passed')}
        value={format.number(run.passed)}
        tone="battery"
        note={`${t('burn-in.field.units')}: ${format.number(run.units)}`}
      />
      <KeyFigure label={t('burn-in.field.failed')} value={format.number(run.failed)} tone="bad" />
    </>
  );
}
