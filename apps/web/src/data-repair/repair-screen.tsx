import type { RepairChannel } from '@sonnenwarte/contract/data-repair/corrections';
import { repairEndpoints } from '@sonnenwarte/contract/data-repair/data-repair';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import { IconButton } from '../blocks/show/button.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { read } from '../client/queries.ts';
import { addDays, type CalendarDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useTabTitle } from '../tabs/tab-context.ts';
import { CorrectionCard } from './correction-card.tsx';
import { CounterChart, type NumberedMark } from './counter-chart.tsx';
import { entriesOf, type RepairEntry, spanText } from './entries.ts';
import { EntryList } from './entry-list.tsx';
import styles from './repair.module.css';
import { RepairNotice } from './repair-notice.tsx';
import { SpanForm } from './span-form.tsx';
import { wholeSteps } from './span-times.ts';

type Counters = Result<typeof repairEndpoints.counters>;

const lengths = { day: 1, week: 7, month: 31 } as const;
type Length = keyof typeof lengths;
const LOOK_AGAIN_MS = 1_500;

/** Corrections by hand of what the counters of a plant told. */
export function RepairScreen({ stationID }: { stationID: string }): ReactNode {
  const counters = useQuery(read(repairEndpoints.counters, { stationID }));
  if (!counters.data) {
    if (counters.error) {
      return <UnreadRecord error={counters.error} retry={() => void counters.refetch()} list="plant-view" />;
    }
    return (
      <LoadingSkeleton>
        <Skeleton width="16rem" height="2rem" />
        <Skeleton height="24rem" />
      </LoadingSkeleton>
    );
  }
  return <Repair stationID={stationID} plant={counters.data} />;
}

function Repair({ stationID, plant }: { stationID: string; plant: Counters }): ReactNode {
  const { t } = useTranslation();
  const { name, counters } = plant;
  useTabTitle(name);
  const [place, setPlace] = useState('0');
  const counter = counters[Number(place)];
  const nameOf = ({ channel, deviceSN }: Counters['counters'][number]): string =>
    `${t(`data-repair.channel.${channel}`)} · ${deviceSN}`;
  return (
    <DetailScreen
      title={t('data-repair.title')}
      subtitle={
        <ScreenLink to="plant-detail" query={{ id: stationID }}>
          {name}
        </ScreenLink>
      }
      aside={
        counters.length > 0 && (
          <Select
            label={t('data-repair.counter')}
            value={place}
            onChange={setPlace}
            options={counters.map((each, at) => ({ value: String(at), label: nameOf(each) }))}
          />
        )
      }
    >
      {counter === undefined ? (
        <EmptyState text={t('data-repair.noCounters')} />
      ) : (
        <CounterRepair
          key={place}
          stationID={stationID}
          plant={plant}
          deviceID={counter.deviceID}
          channel={counter.channel}
          counterName={nameOf(counter)}
        />
      )}
    </DetailScreen>
  );
}

interface CounterRepairProps {
  stationID: string;
  plant: Counters;
  deviceID: string;
  channel: RepairChannel;
  counterName: string;
}

function CounterRepair({ stationID, plant, deviceID, channel, counterName }: CounterRepairProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { ianaTimezone: zone, today } = plant;
  const [length, setLength] = useState<Length>('week');
  const [to, setTo] = useState<CalendarDay>(today);
  const from = addDays(to, 1 - lengths[length]);
  const counter = { stationID, deviceID, channel };
  const series = useQuery({
    ...read(repairEndpoints.series, { ...counter, from, to }),
    refetchInterval: ({ state }) => (state.data?.recalculating === true ? LOOK_AGAIN_MS : false),
  });
  useReadWhenDone(series.data?.recalculating === true);
  const [span, setSpan] = useState<{ fromMs: number; toMs: number }>();
  const [chosen, setChosen] = useState<string>();
  const [notice, setNotice] = useState<{ text: string; correctionID?: number }>();
  const panel = useRef<HTMLDivElement>(null);
  const entries = entriesOf(series.data);
  const entry = entries.find(({ key }) => key === chosen);
  const correction = entry?.correction;

  const mark = (fromMs: number, toMs: number): void => {
    const [first, last] = wholeSteps(fromMs, toMs);
    const newestMs = Math.floor(Date.now() / 300_000) * 300_000;
    setSpan({ fromMs: first, toMs: Math.max(first + 300_000, Math.min(last, newestMs)) });
    setChosen(undefined);
  };
  const choose = (each: RepairEntry): void => {
    if (each.correction === undefined) mark(each.fromMs, each.toMs);
    else setSpan(undefined);
    setChosen(each.key);
    panel.current?.scrollIntoView({ behavior: 'smooth', block: 'nearest' });
  };
  const step = (by: number): void => {
    const next = addDays(to, by * lengths[length]);
    setTo(next > today ? today : next);
  };
  const undone = (): void => {
    setChosen(undefined);
    setNotice({ text: t('data-repair.undone') });
  };
  const marks: NumberedMark[] = entries.map((each) => ({
    number: each.number,
    kind: each.mark,
    fromMs: each.fromMs,
    toMs: each.toMs,
    label: `${each.title(t)}, ${spanText(each, zone, format)}`,
    chosen: each.key === chosen,
    choose: () => choose(each),
  }));

  return (
    <div className={styles.screen}>
      <div className={styles.main}>
        <Panel
          title={counterName}
          actions={
            <div className={styles.range}>
              <Segmented
                label={t('data-repair.days')}
                value={length}
                options={[
                  { value: 'day', label: t('common.span.day') },
                  { value: 'week', label: t('data-repair.week') },
                  { value: 'month', label: t('common.span.month') },
                ]}
                onChange={setLength}
              />
              <IconButton aria-label={t('common.earlier')} onClick={() => step(-1)}>
                <IconChevronLeft size={18} aria-hidden="true" />
              </IconButton>
              <span aria-live="polite" className={styles.days}>
                {from === to ? format.day(to) : `${format.day(from)} – ${format.day(to)}`}
              </span>
              <IconButton aria-label={t('common.later')} disabled={to >= today} onClick={() => step(1)}>
                <IconChevronRight size={18} aria-hidden="true" />
              </IconButton>
            </div>
          }
        >
          <ReadState query={series}>
            <Skeleton height="20rem" />
          </ReadState>
          {series.data && (
            <>
              {series.data.recalculating && <p role="status">{t('data-repair.recalculating')}</p>}
              {series.data.points.length === 0 ? (
                <EmptyState text={t('data-repair.nothingTold')} />
              ) : (
                <CounterChart
                  points={series.data.points}
                  startMs={series.data.startMs}
                  endMs={series.data.endMs}
                  timeZone={zone}
                  marks={marks}
                  span={correction ?? span}
                  onSpan={mark}
                  summary={t('data-repair.summary', {
                    counter: counterName,
                    from: format.day(from),
                    to: format.day(to),
                    number: format.number(entries.length),
                  })}
                  labels={{
                    joined: t('data-repair.joined'),
                    raw: t('data-repair.raw'),
                    span: t('data-repair.marked'),
                  }}
                />
              )}
              <p className={styles.hint}>{t('data-repair.dragHint')}</p>
            </>
          )}
        </Panel>
        <Panel title={t('data-repair.list')}>
          {series.data ? (
            <EntryList
              entries={entries}
              zone={zone}
              chosen={chosen}
              onChoose={choose}
              stationID={stationID}
              onUndone={undone}
            />
          ) : (
            !series.error && (
              <LoadingSkeleton>
                <Skeleton height="2.5rem" />
                <Skeleton height="2.5rem" />
              </LoadingSkeleton>
            )
          )}
        </Panel>
      </div>
      <div ref={panel} className={styles.side}>
        {correction ? (
          <CorrectionCard correction={correction} stationID={stationID} zone={zone} onUndone={undone} />
        ) : (
          <Can of={repairEndpoints.correct}>
            {(of) => (
              <SpanForm
                key={span === undefined ? '' : `${span.fromMs} ${span.toMs}`}
                of={of}
                counter={counter}
                zone={zone}
                today={today}
                span={span}
                onSpan={mark}
                onDone={(correctionID, done) => {
                  setSpan(undefined);
                  setChosen(`correction ${correctionID}`);
                  setNotice({ text: t('data-repair.done', { span: spanText(done, zone, format) }), correctionID });
                }}
              />
            )}
          </Can>
        )}
      </div>
      {notice && (
        <RepairNotice {...notice} stationID={stationID} onUndone={undone} onClose={() => setNotice(undefined)} />
      )}
    </div>
  );
}

/** Once the sums are made anew, all that shows them is read again. */
function useReadWhenDone(recalculating: boolean): void {
  const cache = useQueryClient();
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !recalculating)
      for (const feature of ['sites', 'fleet', 'devices', 'data-repair'] as const)
        void cache.invalidateQueries({ queryKey: [feature] });
    was.current = recalculating;
  }, [recalculating, cache]);
}
