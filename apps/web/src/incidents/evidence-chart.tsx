import { MOST_CURVES, series } from '@sonnenwarte/contract/analysis/analysis';
import type { IncidentDetail } from '@sonnenwarte/contract/incidents/incidents';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOfPlotted } from '../analysis/address.ts';
import { AnalysisPlot } from '../analysis/analysis-plot.tsx';
import { type CurveData, type Series, sampleAt } from '../analysis/curves.ts';
import { useLaneWords } from '../analysis/lane-words.ts';
import { lanesOf, type Window } from '../analysis/lanes.ts';
import { ReadOut } from '../analysis/read-out.tsx';
import { looksOf } from '../analysis/shown-look.ts';
import { timeTextsOf } from '../analysis/time-text.ts';
import { inputOf, shownCurves } from '../analysis/use-analysis.ts';
import { useReading } from '../analysis/use-reading.ts';
import { Segmented } from '../blocks/form/segmented.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { usePointTexts } from '../devices/point-text.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { joinQuantity } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import styles from './evidence.module.css';
import { axisOf, breaksOf, joined, joinedTimes, onAxis, panesOf, stoodOn } from './evidence-days.ts';
import { shapeOf } from './levels.ts';

const MINUTE_MS = 60_000;
const COLUMNS = { desk: 400, phone: 600 } as const;
const HEIGHTS_PX = { desk: [230, 320, 380, 420], phone: [210, 280, 340, 380] } as const;
const AXIS_PX = { desk: 58, phone: 46 } as const;
const NOTHING: ReadonlyMap<string, CurveData> = new Map();
const NONE_HIDDEN: ReadonlySet<string> = new Set();
const ignore = (): void => undefined;

export interface EvidenceProps {
  evidence: NonNullable<IncidentDetail['evidence']>;
  incident: Pick<IncidentDetail['incident'], 'code' | 'level' | 'sinceMs'>;
  spells: IncidentDetail['spells'];
}

/** What several days answered. */
const together = (answers: UseQueryResult<Series>[]) => ({
  told: answers.map(({ data }) => data),
  error: answers.find(({ error }) => error !== null)?.error ?? null,
  retry: () => {
    for (const { refetch } of answers) void refetch();
  },
});

/** The day before, the day on which it began, and today: what the device's points told, with the time tinted in which it stood. */
export function EvidenceChart({ evidence, incident, spells }: EvidenceProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const phone = useIsPhone();
  const texts = usePointTexts();
  const [chosen, setChosen] = useState(evidence.day);
  const { deviceID, day, dayBefore, today } = evidence;
  const variables = evidence.variables.slice(0, MOST_CURVES);
  const curves = variables.map((variable) => ({ deviceID, variable }));
  const days = [...new Set([...(dayBefore === null ? [] : [dayBefore]), day, today])];
  const shown = phone ? [chosen] : days;
  const { told, error, retry } = useQueries({
    queries: shown.map((each) => ({
      ...read(series, {
        ...inputOf(curves),
        firstDay: each,
        lastDay: each,
        columns: phone ? COLUMNS.phone : COLUMNS.desk,
      }),
      refetchInterval: each === today ? MINUTE_MS : (false as const),
    })),
    combine: together,
  });
  const names = [...new Set(variables.map(texts.label))];
  const nameOf = (each: string): string => (each === today ? t('charts.today') : format.day(each));
  const isThere = told.every((answer) => answer !== undefined);
  return (
    <Panel
      title={t('incidents.evidence.title')}
      actions={
        <>
          {phone && days.length > 1 && (
            <Segmented
              label={t('charts.chooseDay')}
              value={chosen}
              options={days.map((value) => ({ value, label: nameOf(value) }))}
              onChange={setChosen}
            />
          )}
          <ScreenLink to="analysis" query={queryOfPlotted({ curves, span: 'day', day, compared: undefined })}>
            {t('incidents.evidence.analysis')}
          </ScreenLink>
        </>
      }
    >
      {error !== null && <ErrorNotice error={error} retry={retry} keepsShown={isThere} />}
      {!isThere && error === null && (
        <LoadingSkeleton>
          <Skeleton height={`${HEIGHTS_PX.desk[0] + 60}px`} />
        </LoadingSkeleton>
      )}
      {isThere && (
        <Days
          key={shown.join()}
          days={shown}
          told={told.flatMap((answer) => answer ?? [])}
          {...{ incident, spells }}
          summary={t('incidents.evidence.summary', {
            names: new Intl.ListFormat(format.locale).format(names),
            days: new Intl.ListFormat(format.locale).format(shown.map(nameOf)),
          })}
        />
      )}
    </Panel>
  );
}

interface DaysProps extends Omit<EvidenceProps, 'evidence'> {
  days: readonly string[];
  /** Of each of them. */
  told: readonly Series[];
  summary: string;
}

function Days({ days, told, incident, spells, summary }: DaysProps): ReactNode {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const texts = usePointTexts();
  const phone = useIsPhone();
  const nowMs = useNow(MINUTE_MS);
  const { name } = useAlarmText()(incident.code);
  const [part, setPart] = useState<Window>();
  const [stressed, setStressed] = useState<string>();
  const timeZone = told[0]?.ianaTimezone ?? 'UTC';
  const dayKey = told.map(({ startMs }) => startMs).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the moments at which the days begin stand for them
  const panes = useMemo(
    () => panesOf(told.map(({ startMs, endMs }, at) => ({ day: days[at] ?? '', startMs, endMs }))),
    [dayKey],
  );
  const answered = told.map(({ series: all }) => all.map(({ samples }) => samples).join()).join('|');
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels follow the language, samples what was answered
  const curves = useMemo(
    () =>
      joined(
        panes,
        told.map((answer) => shownCurves(answer, texts.label)),
      ),
    [panes, answered, i18n.language],
  );
  const looks = useMemo(() => looksOf(curves), [curves]);
  const times = useMemo(() => joinedTimes(panes, timeTextsOf(format, timeZone)), [panes, format, timeZone]);
  const whole = useMemo(() => axisOf(panes), [panes]);
  const began = panes.find(({ fromMs, toMs }) => incident.sinceMs >= fromMs && incident.sinceMs < toMs);
  const warns = shapeOf(incident.code, incident.level) !== 'fault';
  const marks = began
    ? [{ key: 'began', kind: 'alarm' as const, atMs: onAxis(began, incident.sinceMs), label: name, warns }]
    : [];
  const reading = useReading({ curves, marks, whole, timeZone, part, onPart: setPart });
  const words = useLaneWords(curves);
  const lanes = lanesOf(curves);
  const size = phone ? 'phone' : 'desk';
  const heightPx = HEIGHTS_PX[size][Math.max(0, lanes.length - 1)] ?? HEIGHTS_PX[size][0];
  const moment = times.moment(reading.tsMs, reading.part);
  const spoken = curves.flatMap((curve) => {
    const sample = sampleAt(curve, reading.tsMs);
    return sample === undefined ? [] : [`${curve.label} ${joinQuantity(texts.value(sample.value, curve.unit))}`];
  });
  if (curves.every(({ values }) => values.length === 0)) return <EmptyState text={t('charts.noPeriod')} />;
  return (
    <div className={styles.days}>
      <ReadOut
        {...{ curves, looks, moment }}
        hidden={NONE_HIDDEN}
        compared={NOTHING}
        tsMs={reading.tsMs}
        isPointed={reading.pointedMs !== null}
        brief
        onStress={setStressed}
        onHide={ignore}
        onRemove={ignore}
      />
      <Suspense fallback={<Skeleton height={`${heightPx}px`} />}>
        <AnalysisPlot
          {...{ curves, looks, whole, times, marks, stressed, heightPx, summary }}
          {...words}
          compared={NOTHING}
          tinted={stoodOn(panes, spells, nowMs)}
          breaks={breaksOf(panes)}
          axisPx={AXIS_PX[size]}
          part={reading.part}
          cursorMs={reading.pointedMs}
          chosenMark={reading.chosenMark}
          spoken={`${moment}: ${spoken.join(', ') || t('charts.notMeasured')}`}
          onPoint={reading.point}
          onPart={reading.show}
          onKey={reading.onKey}
          onMark={reading.choose}
          onPlots={ignore}
        />
      </Suspense>
      <p className={styles.legend}>
        <i aria-hidden="true" /> {t('incidents.evidence.tinted')}
      </p>
    </div>
  );
}
