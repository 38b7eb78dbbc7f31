import { certificate, removeUnit, settleLoad, unit as unitCall } from '@sonnenwarte/contract/burn-in/burn-in';
import { isJudged, isUnitOver, LEFT_FOR_PLANT } from '@sonnenwarte/contract/burn-in/moves';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { IconChecks, IconFileTypePdf, IconHandOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { Button } from '../blocks/show/button.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { DetailSkeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { read } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { useTab, useTabTitle } from '../tabs/tab-context.ts';
import styles from './burn-in.module.css';
import { levelWord } from './level-word.ts';
import { UnitState } from './marks.tsx';
import { PdfDialog } from './pdf-dialog.tsx';
import type { TakenUnit } from './reason-forms.tsx';
import { useRunNews } from './use-run-news.ts';
import { Verdicts } from './verdicts.tsx';

const UnitCurves = lazy(async () => ({ default: (await import('./unit-curves.tsx')).UnitCurves }));

export type UnitDetail = Result<typeof unitCall>;

const RUNNING_MS = 30_000;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

type ActedUnit = TakenUnit & Pick<UnitDetail, 'can'>;

const { opens, asks, table } = actionsOf<ActedUnit>();
const unitActions = table(
  'burn-in.units',
  { nameOf: ({ sn }) => sn },
  {
    take: opens(removeUnit, async () => (await import('./reason-forms.tsx')).TakeOffForm, {
      icon: IconHandOff,
      danger: true,
      can: 'remove',
    }),
    settle: asks(settleLoad, ({ runID, sn }) => ({ runID, sn }), { icon: IconChecks }),
  },
);

/** The result of a unit in a run; the address names both. */
export function BurnInUnitScreen(): ReactNode {
  const { t } = useTranslation();
  const { query } = useTab();
  const { run = '', sn = '' } = query;
  if (!uuid.test(run) || sn === '')
    return (
      <TitledScreen>
        <EmptyState text={t('burn-in.unit.missing')} />
      </TitledScreen>
    );
  return <Unit key={`${run} ${sn}`} runID={run} sn={sn} />;
}

function Unit({ runID, sn }: TakenUnit): ReactNode {
  const { t } = useTranslation();
  const [isShowing, setShowing] = useState(false);
  useRunNews();
  const { data, error, refetch } = useQuery({
    ...read(unitCall, { runID, sn }),
    refetchInterval: ({ state: { data: shown } }) =>
      shown !== undefined && !isUnitOver(shown.unit.state) ? RUNNING_MS : false,
  });
  useTabTitle(data?.unit.sn);
  if (!data) {
    if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="aging-inverter" />;
    return <DetailSkeleton />;
  }
  const { unit } = data;
  return (
    <DetailScreen
      title={
        <span className={styles.title}>
          <span translate="no">{unit.sn}</span>
          <UnitState state={unit.state} />
        </span>
      }
      subtitle={<Subtitle data={data} />}
      aside={
        <>
          <ActionButtons table={unitActions} row={{ runID, sn, can: data.can }} />
          {isJudged(unit.state) && (
            <Button look="filled" onClick={() => setShowing(true)}>
              <IconFileTypePdf size={16} aria-hidden="true" />
              {t('burn-in.unit.certificate')}
            </Button>
          )}
        </>
      }
    >
      {error && <ErrorNotice error={error} retry={() => void refetch()} keepsShown />}
      <Facts data={data} />
      <Panel title={t('burn-in.unit.verdict')}>
        <Verdicts verdicts={data.verdicts} />
      </Panel>
      <Suspense fallback={<DetailSkeleton />}>
        <UnitCurves data={data} />
      </Suspense>
      <Alarms data={data} />
      {isShowing && (
        <PdfDialog
          title={`${t('burn-in.unit.certificate')}: ${unit.sn}`}
          endpoint={certificate}
          input={{ runID, sn }}
          onClose={() => setShowing(false)}
        />
      )}
    </DetailScreen>
  );
}

function Subtitle({ data: { run, unit } }: { data: UnitDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className={styles.names}>
      <ScreenLink to="aging-inverter" query={{ run: run.runID }}>
        {t('burn-in.run.title', { number: `#${run.number}` })}
      </ScreenLink>
      {` · ${t('burn-in.board.title', { rack: run.rack })} · ${t('burn-in.board.position', { position: format.number(unit.position) })}`}
    </span>
  );
}

function Facts({ data }: { data: UnitDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { run, unit, deviceID, ratedPowerW, removeReason, coveragePercent, stillPercent } = data;
  const removed = removeReason === LEFT_FOR_PLANT ? t('burn-in.unit.leftForPlant') : removeReason;
  const why = unit.reason === null ? removed : t(`burn-in.reason.${unit.reason}`);
  return (
    <Panel>
      {stillPercent !== null && (
        <p className={styles.bad}>{t('burn-in.unit.still', { percent: format.percent(stillPercent) })}</p>
      )}
      <PropertyList
        items={[
          ...(why === '' ? [] : [{ label: t('burn-in.results.field.reason'), value: <strong>{why}</strong> }]),
          { label: t('burn-in.field.planName'), value: run.planName },
          {
            label: t('burn-in.field.batch'),
            value: [run.manufacturer, run.batch].filter((each) => each !== '').join(' · '),
          },
          { label: t('burn-in.field.model'), value: unit.model },
          { label: t('burn-in.unit.rated'), value: format.power(ratedPowerW) },
          { label: t('burn-in.unit.attempt'), value: unit.attempt === null ? '' : format.number(unit.attempt) },
          { label: t('burn-in.field.startedMs'), value: format.localTime(unit.startedMs) },
          { label: t('burn-in.field.endedMs'), value: format.localTime(unit.endedMs) },
          {
            label: t('burn-in.unit.coverage'),
            value: coveragePercent === null ? '' : format.percent(coveragePercent, 1),
          },
          ...(deviceID === null
            ? []
            : [
                {
                  label: t('burn-in.unit.device'),
                  value: (
                    <ScreenLink to="device-inverter-detail" query={{ deviceID }}>
                      <span translate="no">{unit.sn}</span>
                    </ScreenLink>
                  ),
                },
              ]),
        ]}
      />
    </Panel>
  );
}

function Alarms({ data: { alarms } }: { data: UnitDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  return (
    <Panel title={t('burn-in.unit.alarms')}>
      {alarms.length === 0 && <EmptyState text={t('burn-in.unit.noAlarms')} />}
      <ul className={styles.list}>
        {alarms.map(({ alarmID, code, level, sinceMs, untilMs, failed }) => (
          <li key={alarmID}>
            <strong>{`${code} ${alarmText(code).name}`}</strong>
            <span>{levelWord(level, t)}</span>
            <span>
              {`${format.localTime(sinceMs)} – ${untilMs === null ? t('burn-in.alarms.stands') : format.localTime(untilMs)}`}
            </span>
            {failed && <span className={styles.bad}>{t('burn-in.alarms.field.failed')}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
