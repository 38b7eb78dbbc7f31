import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { useIsNarrow, useIsPhone } from '../blocks/show/use-is-phone.ts';
import { resolveColour } from '../charts/chart-colours.ts';
import { saveFile } from '../client/download.ts';
import { usePointTexts } from '../devices/point-text.ts';
import { joinQuantity } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import type { Plotted } from './address.ts';
import styles from './analysis.module.css';
import { AnalysisPlot } from './analysis-plot.tsx';
import { LanesSkeleton } from './analysis-skeleton.tsx';
import { ChosenMark } from './chosen-mark.tsx';
import { sampleAt } from './curves.ts';
import { Keys, MarkLegend } from './keys.tsx';
import { type LanePlots, RIGHT_PX } from './lane-plots.ts';
import { useLaneWords } from './lane-words.ts';
import { lanesOf, type Window } from './lanes.ts';
import { keyOfMark, useMarkName } from './mark-words.ts';
import type { PlotMark } from './marks-track.tsx';
import { OverviewStrip } from './overview-strip.tsx';
import { ReadOut } from './read-out.tsx';
import { SampleWords } from './sample-words.tsx';
import type { SavePicture } from './save-part.tsx';
import { COMPARED_DASH, looksOf } from './shown-look.ts';
import { timeTextsOf, useDaysText } from './time-text.ts';
import { type Analysis, useMarks } from './use-analysis.ts';
import { useReading } from './use-reading.ts';

const ValuesTable = lazy(async () => ({ default: (await import('./values-table.tsx')).ValuesTable }));

const HEIGHTS_PX = { desk: [380, 460, 510, 540], phone: [280, 340, 400, 450] } as const;
/** The highest level that is no fault. */
const MILD = 2;
const AXIS_PX = { desk: 58, phone: 46 } as const;

interface PlottedPartProps {
  analysis: Analysis;
  plotted: Plotted;
  title: string;
  period: string;
  part: Window | undefined;
  /** The way to more variables. */
  add: ReactNode;
  views: ReactNode;
  /** The same on a phone, with the list of variables above. */
  sheet: (list: ReactNode) => ReactNode;
  onPart: (part: Window | undefined) => void;
  onRemove: (key: string) => void;
  onPicture: (picture: SavePicture | undefined) => void;
}

/** The list of variables, which is the read-out, and their lanes. */
export function PlottedPart(props: PlottedPartProps): ReactNode {
  const { analysis, plotted, title, period, add, views, sheet, onPart, onRemove, onPicture } = props;
  const { data, base, shown, compared, timeZone, first, last } = analysis;
  const { t } = useTranslation();
  const format = useFormat();
  const texts = usePointTexts();
  const markName = useMarkName();
  const phone = useIsPhone();
  const narrow = useIsNarrow();
  const daysText = useDaysText();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [stressed, setStressed] = useState<string>();
  const [asTable, setAsTable] = useState(false);
  const plots = useRef<LanePlots>(undefined);
  const looks = useMemo(() => looksOf(base), [base]);
  const times = useMemo(() => timeTextsOf(format, timeZone), [format, timeZone]);
  const happened = useMarks(plotted.curves, first, last);
  const marks = useMemo(
    (): PlotMark[] =>
      (happened?.marks ?? []).map((mark) => ({
        key: keyOfMark(mark),
        kind: mark.kind,
        atMs: mark.atMs,
        label: markName(mark),
        warns: mark.kind === 'alarm' && mark.level <= MILD,
      })),
    [happened, markName],
  );
  const seen = useMemo(() => shown.filter(({ key }) => !hidden.has(key)), [shown, hidden]);
  const whole = useMemo(() => ({ fromMs: data?.startMs ?? 0, toMs: data?.endMs ?? 1 }), [data?.startMs, data?.endMs]);
  const reading = useReading({ curves: seen, marks, whole, timeZone, part: props.part, onPart });
  const axisPx = phone ? AXIS_PX.phone : AXIS_PX.desk;
  const lanes = lanesOf(seen);
  const heightPx = HEIGHTS_PX[phone ? 'phone' : 'desk'][Math.max(0, lanes.length - 1)] ?? 580;
  const { unitOf, valueLabels } = useLaneWords(seen);
  const moment = times.moment(reading.tsMs, reading.part);
  const spoken = `${moment}: ${seen
    .flatMap((curve) => {
      const sample = sampleAt(curve, reading.tsMs);
      return sample === undefined ? [] : [`${curve.label} ${joinQuantity(texts.value(sample.value, curve.unit))}`];
    })
    .join(', ')}`;
  const zones = new Set(data?.devices.map(({ ianaTimezone }) => ianaTimezone));
  const clock =
    data === undefined
      ? ''
      : t(zones.size > 1 ? 'analysis.clockOfSeveral' : 'analysis.clock', {
          plant: data.plantName === '' ? data.devices[0]?.deviceSN : data.plantName,
          zone: timeZone,
        });
  const against = plotted.compared;
  const comparedWith =
    against !== undefined && 'daysBefore' in against
      ? t('analysis.earlier', { days: daysText(against.daysBefore) })
      : analysis.otherSN;
  const namesOfCurve = (key: string): string => {
    const curve = base.find((each) => each.key === key);
    if (curve === undefined) return '';
    const unit = unitOf(curve.unit);
    return `${curve.label}${unit === '' ? '' : ` (${unit})`} · ${curve.device.deviceSN}${curve.device.plantName === '' ? '' : ` · ${curve.device.plantName}`}`;
  };

  const latest = useRef<() => Promise<void>>(undefined);
  latest.current = async () => {
    const drawn = plots.current;
    if (drawn === undefined) return;
    const colour = (name: string): string => resolveColour(`var(--${name})`, document.body);
    const plotPx = drawn.widthPx - axisPx - RIGHT_PX;
    const { fromMs, toMs } = reading.part;
    const within = marks.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
    const { drawPicture } = await import('./picture.ts');
    const blob = await drawPicture({
      title,
      lines: [`${times.full(fromMs)} – ${times.full(toMs)}`, clock],
      legend: seen.flatMap(({ key }) => {
        const look = looks.get(key);
        if (look === undefined) return [];
        const stroke = resolveColour(look.colour, document.body);
        const text = namesOfCurve(key);
        return [
          { text, stroke, dash: look.dash },
          ...(compared.has(key) ? [{ text: `${text} · ${comparedWith}`, stroke, dash: COMPARED_DASH }] : []),
        ];
      }),
      marks: within,
      canvases: drawn.canvases,
      laneNames: lanes.map(({ unit, curves }) => {
        const sign = unitOf(unit);
        return `${[...new Set(curves.map(({ label }) => label))].join(', ')}${sign === '' ? '' : ` ${sign}`}`;
      }),
      axisPx,
      markLefts: within.map(({ atMs }) => ((atMs - fromMs) / (toMs - fromMs)) * plotPx),
      colours: {
        ground: colour('panel'),
        ink: colour('ink'),
        muted: colour('muted'),
        marks: { alarm: colour('bad-text'), setting: colour('brand-text') },
        font: getComputedStyle(document.body).fontFamily,
      },
    });
    saveFile(blob, `${title}-${first}-${last}.png`);
  };

  if (analysis.error !== null && data === undefined)
    return <ErrorNotice error={analysis.error} retry={analysis.retry} />;
  if (data === undefined) return null;
  const hasSamples = seen.some(({ values }) => values.length > 0);
  const hide = (key: string): void =>
    setHidden((before) =>
      before.has(key) ? new Set([...before].filter((each) => each !== key)) : new Set([...before, key]),
    );
  const list = (brief: boolean, aside?: ReactNode): ReactNode => (
    <ReadOut
      curves={shown}
      {...{ hidden, looks, compared, brief, aside, moment }}
      tsMs={reading.tsMs}
      isPointed={reading.pointedMs !== null}
      onStress={setStressed}
      onHide={hide}
      onRemove={onRemove}
    />
  );
  const readCard = (
    <section className={styles.readCard}>
      {list(
        true,
        <span className={styles.steps}>
          <button type="button" aria-label={t('charts.previous')} onClick={() => reading.step(-1)}>
            <IconChevronLeft size={20} aria-hidden="true" />
          </button>
          <button type="button" aria-label={t('charts.next')} onClick={() => reading.step(1)}>
            <IconChevronRight size={20} aria-hidden="true" />
          </button>
        </span>,
      )}
    </section>
  );
  const side = (
    <section className={styles.side}>
      {list(false)}
      {add}
      {views}
      <MarkLegend marks={marks} />
      <Keys hasMarks={marks.length > 0} />
    </section>
  );
  const groundCurve = base.find(({ key }) => !hidden.has(key));
  return (
    <>
      {analysis.error !== null && <ErrorNotice error={analysis.error} retry={analysis.retry} keepsShown />}
      {data.missing.length > 0 && (
        <p className={styles.missing} role="status">
          {t('analysis.missing')}
        </p>
      )}
      <div className={styles.body}>
        {narrow ? readCard : side}
        <section className={styles.plotPanel} aria-busy={analysis.isReading}>
          <SampleWords curves={seen} days={period} isReading={analysis.isReading} />
          {hasSamples ? (
            <>
              <div hidden={asTable}>
                <Suspense fallback={<LanesSkeleton count={lanes.length} heightPx={heightPx} />}>
                  <AnalysisPlot
                    curves={seen}
                    {...{
                      looks,
                      compared,
                      whole,
                      times,
                      marks,
                      stressed,
                      heightPx,
                      axisPx,
                      valueLabels,
                      unitOf,
                      spoken,
                    }}
                    part={reading.part}
                    cursorMs={reading.pointedMs}
                    chosenMark={reading.chosenMark}
                    summary={t('analysis.summary', { names: seen.map(({ label }) => label).join(', '), period })}
                    onPoint={reading.point}
                    onPart={reading.show}
                    onKey={reading.onKey}
                    onMark={reading.choose}
                    onPlots={(made) => {
                      plots.current = made;
                      onPicture(made === undefined ? undefined : { save: () => void latest.current?.() });
                    }}
                  />
                </Suspense>
                <OverviewStrip
                  curve={groundCurve}
                  colour={looks.get(groundCurve?.key ?? '')?.colour ?? 'var(--brand)'}
                  whole={whole}
                  part={reading.part}
                  leftPx={axisPx}
                  rightPx={RIGHT_PX}
                  moment={(tsMs) => times.moment(tsMs, whole)}
                  onPart={reading.show}
                />
              </div>
              {asTable && (
                <Suspense>
                  <ValuesTable curves={seen} part={reading.part} time={times.full} />
                </Suspense>
              )}
            </>
          ) : (
            <EmptyState text={t('charts.noPeriod')} />
          )}
          <ChosenMark
            mark={happened?.marks.find((mark) => keyOfMark(mark) === reading.chosenMark)}
            devices={data.devices}
            time={times.full}
          />
          <footer className={styles.foot}>
            <span>{clock}</span>
            {happened !== undefined && happened.total > happened.marks.length && (
              <span>
                {t('analysis.someMarks', {
                  shown: format.number(happened.marks.length),
                  total: format.number(happened.total),
                })}
              </span>
            )}
            {compared.size > 0 && <span>{t('analysis.compared', { what: comparedWith })}</span>}
            {phone && <MarkLegend marks={marks} />}
            {phone && <span>{t('analysis.touch')}</span>}
            <span className={styles.footTools}>
              {props.part !== undefined && (
                <button type="button" onClick={() => reading.show(whole)}>
                  {t('analysis.wholePeriod')}
                </button>
              )}
              {hasSamples && (
                <button type="button" aria-expanded={asTable} onClick={() => setAsTable(!asTable)}>
                  {asTable ? t('charts.asChart') : t('charts.asTable')}
                </button>
              )}
            </span>
          </footer>
        </section>
        {narrow && !phone && side}
      </div>
      {sheet(list(false))}
    </>
  );
}
