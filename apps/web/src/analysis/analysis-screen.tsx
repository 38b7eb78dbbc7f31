import { IconAdjustmentsHorizontal, IconBookmark, IconPlus } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Sheet } from '../blocks/overlay/sheet.tsx';
import { Badge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTabQuery, useTabTitle } from '../tabs/tab-context.ts';
import { type Plotted, plottedOf, queryOfPlotted, spans, viewOfPlotted } from './address.ts';
import styles from './analysis.module.css';
import { AnalysisSkeleton } from './analysis-skeleton.tsx';
import { ComparePart } from './compare-part.tsx';
import { DaysStepper } from './days-stepper.tsx';
import { useFirstCurves } from './first-curves.ts';
import { KeptViews, useViewName } from './kept-views.tsx';
import type { Window } from './lanes.ts';
import { PlottedPart } from './plotted-part.tsx';
import { SavePart, type SavePicture } from './save-part.tsx';
import { useAnalysis } from './use-analysis.ts';

const ChooseCurves = lazy(async () => ({ default: (await import('./choose-curves.tsx')).ChooseCurves }));
const KeepView = lazy(async () => ({ default: (await import('./keep-view.tsx')).KeepView }));

/** Any variables of any devices over one axis of time. */
export function AnalysisScreen(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = useRouteLabel();
  const phone = useIsPhone();
  const [query, setQuery] = useTabQuery();
  const isFinding = useFirstCurves();
  const plotted = useMemo(() => plottedOf(query), [query]);
  const [part, setPart] = useState<{ of: string; window: Window }>();
  const [isChoosing, setChoosing] = useState(false);
  const [isKeeping, setKeeping] = useState(false);
  const [isSheet, setSheet] = useState(false);
  const [savePicture, setSavePicture] = useState<SavePicture>();
  const days = `${plotted.span} ${plotted.day}`;
  const shownPart = part?.of === days ? part.window : undefined;
  const analysis = useAnalysis(plotted, shownPart);
  const view = viewOfPlotted(plotted);
  const kept = useViewName(view);
  const title = label('analysis');
  useTabTitle(kept?.name ?? title);

  const change = (next: Partial<Plotted>): void => setQuery(queryOfPlotted({ ...plotted, ...next }));
  const openView = (wanted: typeof query): void => {
    setSheet(false);
    setQuery(wanted);
  };
  const { data, first, last } = analysis;
  const unitOf = (key: string): string => analysis.base.find((curve) => curve.key === key)?.unit ?? '';
  const [firstDevice] = data?.devices ?? [];
  const isEmpty = plotted.curves.length === 0;
  const names = analysis.base.map((curve) => curve.label).join(', ');
  const period = first === last ? format.day(last) : `${format.day(first)} – ${format.day(last)}`;
  const plants = [...new Set(data?.devices.map(({ plantName }) => plantName))].filter((name) => name !== '');

  const spanChoice = (
    <Segmented
      label={t('analysis.period')}
      wide={phone}
      value={plotted.span}
      options={spans.map((span) => ({ value: span, label: t(`analysis.span.${span}`) }))}
      onChange={(span) => change({ span })}
    />
  );
  const stepper = (
    <DaysStepper
      first={first}
      last={last}
      today={analysis.today}
      onChange={(day) => change({ day: day >= analysis.today ? undefined : day })}
    />
  );
  const tools = (
    <>
      <ComparePart span={plotted.span} compared={plotted.compared} onChange={(compared) => change({ compared })} />
      <SavePart plotted={plotted} first={first} last={last} picture={savePicture} />
    </>
  );
  const add = (
    <Button wide onClick={() => setChoosing(true)}>
      <IconPlus size={16} aria-hidden="true" />
      {t('analysis.add')}
    </Button>
  );
  const views = <KeptViews view={view} onOpen={openView} />;

  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <h1>{title}</h1>
          {kept && <Badge tone="brand">{kept.name}</Badge>}
          {phone && !isEmpty && <p>{[plants.join(', '), period].filter((text) => text !== '').join(' · ')}</p>}
        </div>
        {phone ? (
          <div className={styles.headTools}>
            <Button
              aria-label={t('analysis.keep')}
              aria-disabled={isEmpty}
              onClick={() => !isEmpty && setKeeping(true)}
            >
              <IconBookmark size={20} aria-hidden="true" />
            </Button>
            <Button aria-label={`${t('analysis.variables')}: ${plotted.curves.length}`} onClick={() => setSheet(true)}>
              <IconAdjustmentsHorizontal size={18} aria-hidden="true" />
              {plotted.curves.length}
            </Button>
          </div>
        ) : (
          <div className={styles.headTools}>
            {spanChoice}
            {stepper}
            {tools}
            <Button look="filled" aria-disabled={isEmpty} onClick={() => !isEmpty && setKeeping(true)}>
              <IconBookmark size={17} aria-hidden="true" />
              {t('analysis.keep')}
            </Button>
          </div>
        )}
      </header>
      {phone && (
        <div className={styles.phoneTools}>
          {spanChoice}
          {stepper}
        </div>
      )}
      {isEmpty && !isFinding && (
        <div className={styles.body} data-empty>
          <Panel>
            <EmptyState
              text={t('analysis.empty')}
              action={
                <Button look="filled" onClick={() => setChoosing(true)}>
                  {t('analysis.add')}
                </Button>
              }
            />
          </Panel>
          <Panel>{views}</Panel>
        </div>
      )}
      {(isFinding || (analysis.isWaiting && !isEmpty)) && (
        <AnalysisSkeleton curves={plotted.curves.length} phone={phone} />
      )}
      {!isEmpty && (
        <PlottedPart
          analysis={analysis}
          plotted={plotted}
          title={kept?.name ?? title}
          period={period}
          part={shownPart}
          add={add}
          views={views}
          onPart={(window) => setPart(window && { of: days, window })}
          onRemove={(key) =>
            change({ curves: plotted.curves.filter((curve) => `${curve.deviceID}:${curve.variable}` !== key) })
          }
          onPicture={setSavePicture}
          sheet={(list) => (
            <Sheet title={t('analysis.variables')} opened={isSheet && phone} onClose={() => setSheet(false)}>
              <div className={styles.sheet}>
                {list}
                {add}
                <div className={styles.sheetTools}>{tools}</div>
                {views}
              </div>
            </Sheet>
          )}
        />
      )}
      {isChoosing && (
        <Suspense>
          <ChooseCurves
            chosen={plotted.curves.map((curve) => ({ ...curve, unit: unitOf(`${curve.deviceID}:${curve.variable}`) }))}
            deviceID={plotted.curves.at(-1)?.deviceID}
            stationID={firstDevice?.stationID ?? undefined}
            onChange={(curves) => change({ curves: curves.map(({ deviceID, variable }) => ({ deviceID, variable })) })}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
      {isKeeping && (
        <Suspense>
          <KeepView view={view} name={kept?.name ?? names.slice(0, 32)} onClose={() => setKeeping(false)} />
        </Suspense>
      )}
    </div>
  );
}
