import { MOST_PERIODS, type PlanMode, planModes, plan as planSchema } from '@sonnenwarte/contract/work-modes/plan';
import { type Outcome, whatIf } from '@sonnenwarte/contract/work-modes/what-if';
import { view as viewOf, type WorkMode, write } from '@sonnenwarte/contract/work-modes/work-modes';
import { IconBookmark, IconCopy, IconPencil, IconPlus, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import { Sheet } from '../blocks/overlay/sheet.tsx';
import { OfPlant, PlantPartScreen, useOfPlant } from '../blocks/plant/of-plant.tsx';
import { Badge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useDayNames } from './days-choice.tsx';
import { FollowPanel } from './follow-panel.tsx';
import { LimitsPanel, PricesPanel } from './limits-panel.tsx';
import { PeriodList } from './period-list.tsx';
import { PeriodFields } from './period-panel.tsx';
import { PlanBand } from './plan-band.tsx';
import { PlanChart, PlanLegend } from './plan-chart.tsx';
import { freeTime } from './plan-edit.ts';
import { PlanKeys } from './plan-keys.tsx';
import { isFlat } from './price-lane.tsx';
import { TemplatesDialog } from './templates-dialog.tsx';
import { type PlanDraft, usePlanDraft } from './use-plan-draft.ts';
import { type Span, WhatIfPanel } from './what-if-panel.tsx';
import { WhyLine } from './why-line.tsx';
import styles from './work-modes.module.css';
import { isLoss } from './worth-taking.ts';
import { WriteDialog } from './write-dialog.tsx';
import { isRecent, isUnderWay, WriteState } from './write-state.tsx';

const REFRESH_MS = 30_000;
const UNDER_WAY_MS = 2_000;

/** Work mode of the plant in the address. */
export function WorkModeScreen(): ReactNode {
  const { t } = useTranslation();
  return <OfPlant choose={t('work-modes.choosePlant')}>{(stationID) => <Read stationID={stationID} />}</OfPlant>;
}

function Read({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { data, error, refetch } = useOfPlant(stationID, {
    ...read(viewOf, { stationID }),
    refetchInterval: ({ state }) => (isRecent(state.data?.commands ?? []) ? UNDER_WAY_MS : REFRESH_MS),
  });
  if (!data) {
    if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="plant-view" />;
    return (
      <LoadingSkeleton>
        <Skeleton width="16rem" height="2rem" />
        <Skeleton height="3rem" />
        <div className={styles.columns}>
          <Skeleton height="26rem" />
          <div className={styles.side}>
            <Skeleton height="12rem" />
            <Skeleton height="18rem" />
          </div>
          <Skeleton height="18rem" />
        </div>
      </LoadingSkeleton>
    );
  }
  if (data.devices.length === 0)
    return (
      <PlantPartScreen title={label('work-model')} stationID={stationID} stationName={data.stationName}>
        <EmptyState text={t('work-modes.noTaker')} />
      </PlantPartScreen>
    );
  return <Editor stationID={stationID} view={data} />;
}

type Shown = 'write' | 'others' | 'templates' | 'period' | null;

function Editor({ stationID, view }: { stationID: string; view: WorkMode }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const label = useRouteLabel();
  const phone = useIsPhone();
  const nowMs = useNow(60_000);
  const draft = usePlanDraft(view.reported);
  const [shown, setShown] = useState<Shown>(null);
  const [span, setSpan] = useState<Span>('month');
  const [row, setRow] = useState<{ key: string; outcome: Outcome | null }>({ key: 'own', outcome: null });
  const today = (new Date(view.today.startMs + (view.today.endMs - view.today.startMs) / 2).getUTCDay() + 6) % 7;
  const [day, setDay] = useState(today);
  const panel = useRef<HTMLDivElement>(null);
  const readOnly = !view.can.write;
  const { plan, chosen } = draft;
  const isValid = planSchema.safeParse(plan).success;
  const asked = useDeferredValue(plan);
  const result = useQuery({
    ...read(whatIf, { stationID, span, plan: asked }),
    enabled: planSchema.safeParse(asked).success,
    placeholderData: (before) => before,
  });
  const drawn = row.key === 'own' ? result.data?.own : row.key === 'baseline' ? result.data?.baseline : row.outcome;
  const past = drawn?.socByQuarter ?? [];
  const edit = (place: number) => {
    draft.choose(place);
    if (phone) setShown('period');
    else panel.current?.querySelector<HTMLElement>('input')?.focus();
  };
  const canWrite = !readOnly && isValid && (draft.isChanged || view.differs) && !isUnderWay(view.commands);
  const saved = result.data?.own?.saved ?? null;
  const buttons = (
    <>
      <Button onClick={() => setShown('templates')}>
        <IconBookmark size={17} aria-hidden="true" />
        {t('work-modes.templates')}
      </Button>
      {!readOnly && (
        <>
          <Button disabled={!isValid} onClick={() => setShown('others')}>
            <IconCopy size={17} aria-hidden="true" />
            {t('work-modes.toOthers')}
          </Button>
          {!phone && <WriteButton canWrite={canWrite} onClick={() => setShown('write')} />}
        </>
      )}
    </>
  );
  const chosenFields = chosen !== null && <PeriodFields draft={draft} place={chosen} readOnly={readOnly} />;
  const side = (
    <div className={styles.side}>
      {!phone && (
        <div ref={panel}>
          <Panel
            title={chosen === null ? t('work-modes.window') : t('work-modes.windowOf', { number: chosen + 1 })}
            actions={
              !draft.isChanged &&
              chosen !== null &&
              view.now?.period === chosen && <Badge tone="good">{t('work-modes.holds')}</Badge>
            }
          >
            {chosenFields || <p className={styles.note}>{t('work-modes.chooseWindow')}</p>}
          </Panel>
        </div>
      )}
      <LimitsPanel draft={draft} view={view} readOnly={readOnly} />
      <PricesPanel draft={draft} readOnly={readOnly} />
      <p className={styles.note}>
        <ScreenLink to="work-charge" query={{ stationID }}>
          {t('work-modes.toCharge')}
        </ScreenLink>
      </p>
    </div>
  );
  return (
    <PlantPartScreen
      title={label('work-model')}
      stationID={stationID}
      stationName={
        view.capacityWh === null ? view.stationName : `${view.stationName} · ${format.energy(view.capacityWh)}`
      }
      aside={buttons}
    >
      <WhyLine view={view} />
      <Changes draft={draft} view={view} />
      <WriteState commands={view.commands} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <Panel>
            <div className={styles.bandHead}>
              <ModeChoice draft={draft} readOnly={readOnly} phone={phone} />
              <DayChoice day={day} onChange={setDay} />
              <span className={styles.count}>
                {t('work-modes.ofMost', { number: plan.periods.length, most: MOST_PERIODS })}
                {!readOnly && (
                  <Button small disabled={freeTime(plan.periods, day) === null} onClick={() => draft.add(day)}>
                    <IconPlus size={16} aria-hidden="true" />
                    {t('work-modes.addWindow')}
                  </Button>
                )}
              </span>
            </div>
            {plan.mode !== 'batterySupport' && plan.periods.length > 0 && (
              <p className={styles.note}>
                {t('work-modes.periodsIdle', { mode: t('work-modes.mode.batterySupport') })}
              </p>
            )}
            <div className={styles.day}>
              <PlanBand draft={draft} day={day} readOnly={readOnly} onEdit={edit} brief={phone} />
              {draft.removed !== null && (
                <p className={styles.undo} role="status">
                  {t('work-modes.removed')}
                  <Button small onClick={draft.undo}>
                    {t('work-modes.undo')}
                  </Button>
                </p>
              )}
              <PlanChart
                view={view}
                nowMs={nowMs}
                minSoc={plan.minSoc}
                outlook={result.data?.outlook ?? []}
                past={past}
              />
            </div>
            <div className={styles.chartFoot}>
              {!readOnly && <PlanKeys />}
              <PlanLegend hasPast={past.some((soc) => soc !== null)} />
            </div>
          </Panel>
          {phone && <PeriodList draft={draft} now={view.now} day={day} onOpen={edit} />}
        </div>
        {!phone && side}
        <div className={styles.main}>
          <WhatIfPanel
            stationID={stationID}
            plan={plan}
            span={span}
            onSpan={setSpan}
            result={result.data}
            readOnly={readOnly}
            hasFlatPrice={isFlat(view.prices)}
            shown={row.key}
            onShow={(key, outcome) => setRow({ key, outcome })}
            onTake={(taken) => {
              draft.set({ mode: taken.mode, minSoc: taken.minSoc, periods: taken.periods });
              setRow({ key: 'own', outcome: null });
            }}
          />
          <FollowPanel stationID={stationID} />
        </div>
        {phone && side}
      </div>
      {phone && !readOnly && (
        <div className={styles.foot}>
          <span className={styles.footText}>
            <b data-lost={isLoss(saved) || undefined} data-unknown={saved === null || undefined}>
              {saved === null
                ? t('work-modes.noSaving')
                : isLoss(saved)
                  ? t('work-modes.costsMore', { money: format.money(saved.slice(1), result.data?.currency ?? '') })
                  : t('work-modes.saves', { money: format.money(saved, result.data?.currency ?? '') })}
            </b>
            <small>
              {t('work-modes.cyclesOf', {
                span: t(span === 'month' ? 'work-modes.month' : 'work-modes.yesterday'),
                cycles: format.number(result.data?.own?.cycles ?? null, 1),
              })}
            </small>
          </span>
          <WriteButton canWrite={canWrite} onClick={() => setShown('write')} />
        </div>
      )}
      {phone && shown === 'period' && chosen !== null && (
        <Sheet title={t('work-modes.windowOf', { number: chosen + 1 })} opened onClose={() => setShown(null)}>
          <div className={styles.sheet}>{chosenFields}</div>
        </Sheet>
      )}
      {shown === 'templates' && <TemplatesDialog draft={draft} readOnly={readOnly} onClose={() => setShown(null)} />}
      {(shown === 'write' || shown === 'others') && (
        <Can of={write}>
          {(of) => (
            <WriteDialog
              of={of}
              stationID={stationID}
              view={view}
              draft={draft}
              saved={saved}
              currency={result.data?.currency ?? ''}
              span={span}
              withOthers={shown === 'others'}
              onClose={() => setShown(null)}
            />
          )}
        </Can>
      )}
    </PlantPartScreen>
  );
}

function WriteButton({ canWrite, onClick }: { canWrite: boolean; onClick: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Button look="filled" disabled={!canWrite} onClick={onClick}>
      <IconSend size={17} aria-hidden="true" />
      {t('work-modes.write')}
    </Button>
  );
}

/** What differs between band and device, and between devices. */
function Changes({ draft, view }: { draft: PlanDraft; view: WorkMode }): ReactNode {
  const { t } = useTranslation();
  if (!draft.isChanged && !view.differs) return null;
  return (
    <p className={styles.changes} role="status">
      {draft.isChanged && (
        <Badge tone="warn">
          <IconPencil size={14} aria-hidden="true" /> {t('work-modes.unwritten', { count: draft.changes })}
        </Badge>
      )}
      {view.differs && <Badge tone="warn">{t('work-modes.devicesDiffer')}</Badge>}
      {draft.isChanged && (
        <Button small look="plain" onClick={draft.reset}>
          {t('work-modes.reset')}
        </Button>
      )}
    </p>
  );
}

function ModeChoice({ draft, readOnly, phone }: { draft: PlanDraft; readOnly: boolean; phone: boolean }): ReactNode {
  const { t } = useTranslation();
  const options = planModes.map((value) => ({ value, label: t(`work-modes.mode.${value}`) }));
  const change = (mode: PlanMode) => !readOnly && draft.set({ mode });
  if (phone)
    return (
      <Select
        label={t('work-modes.modeLabel')}
        value={draft.plan.mode}
        options={options}
        onChange={(value) => {
          const mode = planModes.find((each) => each === value);
          if (mode !== undefined) change(mode);
        }}
      />
    );
  return (
    <div className={styles.modes}>
      <Segmented label={t('work-modes.modeLabel')} value={draft.plan.mode} options={options} onChange={change} />
    </div>
  );
}

function DayChoice({ day, onChange }: { day: number; onChange: (day: number) => void }): ReactNode {
  const { t } = useTranslation();
  const names = useDayNames();
  return (
    <Segmented
      label={t('work-modes.shownDay')}
      value={String(day)}
      options={names.map((label, value) => ({ value: String(value), label }))}
      onChange={(value) => onChange(Number(value))}
    />
  );
}
