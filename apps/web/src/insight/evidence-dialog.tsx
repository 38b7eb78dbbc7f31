import type { DayEvidence } from '@sonnenwarte/contract/insight/evidence';
import { degradation, evidence } from '@sonnenwarte/contract/insight/insight';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { type CalendarDay, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { DayStepper } from '../sites/day-stepper.tsx';
import styles from './evidence.module.css';
import { EvidenceChart, markedSpans } from './evidence-chart.tsx';
import { NextSteps } from './evidence-steps.tsx';
import { insightActions } from './insight-actions.tsx';
import { useLossText, useWeekText } from './loss-text.ts';
import { StringsTable } from './strings-table.tsx';

export interface EvidenceProps {
  stationID: string;
  name: string;
  /** As the row tells it from which this is opened; else what its week tells. */
  reason?: string;
  since?: string;
  /** Else the day that shows it best. */
  date?: CalendarDay;
  onClose: () => void;
}

/** Why a plant gave less on a day, and how that is known. */
export function EvidenceDialog({ stationID, name, reason, since, date, onClose }: EvidenceProps): ReactNode {
  const { t } = useTranslation();
  const weekText = useWeekText();
  const [day, setDay] = useState(date);
  const query = useQuery({
    ...read(evidence, { stationID, ...(day !== undefined && { date: day }) }),
    placeholderData: (previous) => previous,
  });
  const told = query.data;
  const week = told?.week ? weekText(told.week) : undefined;
  return (
    <Dialog
      title={[name, reason ?? week?.reason ?? ''].filter((each) => each !== '').join(': ')}
      opened
      onClose={onClose}
      shape="drawer"
      wide
      footer={
        told && (
          <div className={styles.next}>
            <NextSteps told={told} />
            <ActionButtons table={insightActions} row={told} />
            <ScreenLink to="plant-detail" query={{ id: stationID }}>
              {t('fleet.openPlant')}
            </ScreenLink>
          </div>
        )
      }
    >
      <div className={styles.content}>
        <ReadState query={query}>
          <Skeleton height="24rem" />
        </ReadState>
        {told && (
          <>
            <Lost told={told} since={since ?? week?.since ?? ''} />
            <DayStepper
              date={told.day}
              today={localDay(Date.now(), told.ianaTimezone)}
              onChange={(chosen) => setDay(chosen)}
            />
            <div className={styles.told} data-waiting={query.isPlaceholderData || undefined}>
              <Curve told={told} />
              <Strings told={told} />
              <Why told={told} />
              <Figures told={told} />
            </div>
            <Change stationID={stationID} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Lost({
  told: { week, city, country, systemCapacity, isDue },
  since,
}: {
  told: DayEvidence;
  since: string;
}): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const due = isDue ? t('losses.attention.due') : '';
  const facts = [city || format.country(country), format.capacity(systemCapacity, 1), since, due];
  const isLost = week?.lossWh != null && week.lossWh > 0;
  return (
    <p>
      {facts.filter((each) => each !== '').join(' · ')}
      {isLost && (
        <>
          {' · '}
          <span className={styles.lost}>
            {t('insight.evidence.lost', {
              energy: `−${format.energy(week.lossWh)}`,
              money:
                week.lossMoney === null
                  ? t('losses.attention.notKnown')
                  : `−${format.money(week.lossMoney, week.currency)}`,
            })}
          </span>
        </>
      )}
    </p>
  );
}

function Curve({ told }: { told: DayEvidence }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, source, peers, basis, ianaTimezone, isPlaneAssumed, curve, lossWh } = told;
  const isKnown = curve.actual.some((value) => value !== null) || curve.clear.some((value) => value !== null);
  const isKept = curve.kept.some((value) => value !== null);
  const spans = markedSpans(told).map(({ fromMs, untilMs, isWhole }) =>
    isWhole
      ? t('insight.evidence.wholeDay')
      : `${format.time(fromMs, ianaTimezone)}–${format.time(untilMs, ianaTimezone)}`,
  );
  const facts = [
    ...(spans.length > 0 ? [t('insight.evidence.marked', { spans: [...new Set(spans)].slice(0, 6).join(', ') })] : []),
    ...(lossWh !== null && lossWh > 0 ? [t('insight.evidence.dayLoss', { energy: `−${format.energy(lossWh)}` })] : []),
  ];
  if (!isKnown) return <EmptyState text={t('charts.noDay')} />;
  return (
    <figure>
      <figcaption className={styles.legend}>
        <LegendItem tone="--pv" text={name} />
        {isKept && <LegendItem tone="--bad" look="area" text={t('insight.evidence.kept')} />}
        {source === 'neighbours' && (
          <LegendItem
            tone="--line-strong"
            look="area"
            text={t('insight.evidence.neighbours', { number: format.number(peers) })}
          />
        )}
        <LegendItem
          tone="--muted"
          look="dashed"
          text={t(
            curve.expected.some((value) => value !== null) ? 'insight.evidence.expected' : 'insight.evidence.clear',
          )}
        />
        <span className={styles.quiet} data-look="text">
          {t('insight.evidence.unit', { unit: format.kWpUnit })}
        </span>
      </figcaption>
      <EvidenceChart told={told} />
      {facts.length > 0 && <p className={styles.lost}>{facts.join(' · ')}</p>}
      {source === null && <p className={styles.quiet}>{t('insight.evidence.noNeighbours')}</p>}
      {basis === 'climate' && <p className={styles.quiet}>{t('insight.evidence.climate')}</p>}
      {isPlaneAssumed && <p className={styles.quiet}>{t('insight.evidence.assumed')}</p>}
    </figure>
  );
}

function LegendItem({ tone, look, text }: { tone: string; look?: 'area' | 'dashed'; text: string }): ReactNode {
  return (
    <span style={{ '--tone': `var(${tone})` } as object} data-look={look}>
      {text}
    </span>
  );
}

function Strings({ told: { strings, stringsBasis, ianaTimezone } }: { told: DayEvidence }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [first] = strings;
  if (first === undefined) return null;
  const mostPercent = Math.max(1, ...strings.flatMap(({ rows }) => rows.map(({ percent }) => percent ?? 0)));
  return (
    <>
      {strings.map((each) => (
        <StringsTable key={each.deviceID} strings={each} mostPercent={mostPercent} timeZone={ianaTimezone} />
      ))}
      {stringsBasis !== null && (
        <p className={styles.quiet}>
          {t(`insight.basis.${stringsBasis}`, { time: format.time(first.atMs, ianaTimezone) })}
        </p>
      )}
    </>
  );
}

function Why({ told }: { told: DayEvidence }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const lossText = useLossText();
  const alarmText = useAlarmText();
  const { reasons, alarms, ruledOut, unchecked, missing, hasBegun, ianaTimezone } = told;
  const lossOfAlarm = ({ code, deviceSN }: (typeof alarms)[number]): number | null =>
    reasons.find(
      ({ reason: { kind, evidence } }) => kind === 'alarm' && evidence.code === code && evidence.device === deviceSN,
    )?.lossWh ?? null;
  const lossOf = (lossWh: number | null): string =>
    lossWh !== null && lossWh > 0 ? ` (−${format.energy(lossWh)})` : '';
  const openTexts = [
    ...ruledOut
      .filter(isUnclear)
      .map(({ value }) => t('insight.evidence.weakString', { value: format.percent(100 * value) })),
    ...(unchecked.length > 0
      ? [`${t('insight.evidence.unchecked')}: ${unchecked.map((each) => t(`insight.kind.${each}`)).join(', ')}`]
      : []),
    ...missing.map((each) => `${t('insight.evidence.notKnown')}: ${t(`insight.missing.${each}`)}`),
  ];
  if (!hasBegun) return <p>{t('insight.evidence.notBegun')}</p>;
  return (
    <>
      <h3>{t(reasons.length > 0 ? 'insight.evidence.why' : 'insight.evidence.whyNone')}</h3>
      <ul className={styles.list}>
        {alarms.map((alarm) => (
          <li key={`${alarm.code} ${alarm.deviceSN}`} data-tone="found">
            <IconAlertTriangle size={18} aria-hidden="true" />
            <span>
              {t('insight.evidence.alarm', {
                code: alarm.code,
                name: alarmText(alarm.code).name,
                device: alarm.deviceSN,
                time: format.plantTime(alarm.sinceMs, ianaTimezone),
              })}
              {lossOf(lossOfAlarm(alarm))}
            </span>
          </li>
        ))}
        {reasons
          .filter(({ reason }) => reason.kind !== 'alarm')
          .map(({ reason, lossWh }) => (
            <li key={`${reason.kind} ${JSON.stringify(reason.evidence)}`} data-tone="found">
              <IconAlertTriangle size={18} aria-hidden="true" />
              <span>
                {reason.kind === 'offline'
                  ? t('insight.evidence.silent', { hours: format.number(reason.evidence.silentHours, 1) })
                  : lossText(reason).reason}
                {lossOf(lossWh)}
              </span>
            </li>
          ))}
        {ruledOut
          .filter((each) => !isUnclear(each))
          .map(({ measure, kind, value }) => (
            <li key={`${kind} ${measure}`} data-tone="checked">
              <IconCheck size={18} aria-hidden="true" />
              <span>{t(`insight.ruledOut.${measure}`, { value: format.percent(100 * value) })}</span>
            </li>
          ))}
        {openTexts.map((text) => (
          <li key={text} data-tone="open">
            <IconInfoCircle size={18} aria-hidden="true" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A string that is behind, but not all day long or not alone: nothing is ruled out by it. */
const isUnclear = ({ measure, value, bound }: DayEvidence['ruledOut'][number]): boolean =>
  measure === 'string-share' && value < bound;

function Figures({ told }: { told: DayEvidence }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { lossWh, lossReplacingImportWh, purchasePerKwh, feedInPerKwh, currency } = told;
  const rate = (value: number | null): string =>
    value === null ? t('losses.attention.notKnown') : format.percent(100 * value);
  const energy = (value: number | null): string =>
    value === null ? t('losses.attention.notKnown') : format.energy(value);
  const price = (value: number | null): string =>
    value === null ? t('losses.attention.notKnown') : format.unitPrice(String(value), currency);
  return (
    <>
      <PropertyList
        items={[
          { label: t('insight.field.expectedWh'), value: energy(told.expectedWh) },
          { label: t('insight.field.actualWh'), value: energy(told.actualWh) },
          { label: t('insight.field.performanceRatio'), value: rate(told.performanceRatio) },
          { label: t('insight.field.availability'), value: rate(told.availability) },
          { label: t('insight.field.completeness'), value: rate(told.completeness) },
        ]}
      />
      <p className={styles.quiet}>
        {t(`insight.evidence.${howOf(told)}`)}
        {lossWh !== null && lossWh > 0 && lossReplacingImportWh !== null && (
          <>
            {' '}
            {t('insight.evidence.worth', {
              energy: format.energy(lossReplacingImportWh),
              purchase: price(purchasePerKwh),
              feedIn: price(feedInPerKwh),
            })}
          </>
        )}
      </p>
    </>
  );
}

function howOf({ lossWh, source }: DayEvidence): 'nothing' | 'how' | 'howOwn' | 'howUnknown' {
  if (lossWh === null) return 'howUnknown';
  if (lossWh === 0) return 'nothing';
  return source === null ? 'howOwn' : 'how';
}

/** How much less it gives each year, or what is still missing to know it. */
function Change({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(read(degradation, { stationID }));
  if (!data) return null;
  const share = (value: number): string => format.percent(100 * value, 1);
  return (
    <p className={styles.quiet}>
      {data.found === null
        ? t('insight.evidence.changeUnknown', {
            needed: format.number(data.daysNeeded),
            days: format.number(data.days),
          })
        : t('insight.evidence.change', {
            value: share(data.found.perYear),
            low: share(data.found.low95),
            high: share(data.found.high95),
          })}
    </p>
  );
}
