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
import { type CalendarDay, localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { DayStepper } from '../sites/site-day-panel.tsx';
import styles from './evidence.module.css';
import { EvidenceChart } from './evidence-chart.tsx';
import { insightActions } from './insight-actions.tsx';
import { useLossText, useWeekText } from './loss-text.ts';
import { StringsTable } from './strings-table.tsx';

export interface EvidenceProps {
  stationID: string;
  name: string;
  onClose: () => void;
}

/** Why a plant gave less on a day, and how that is known. */
export function EvidenceDialog({ stationID, name, onClose }: EvidenceProps): ReactNode {
  const { t } = useTranslation();
  const weekText = useWeekText();
  const [day, setDay] = useState<CalendarDay>();
  const query = useQuery({
    ...read(evidence, { stationID, ...(day !== undefined && { date: day }) }),
    placeholderData: (previous) => previous,
  });
  const told = query.data;
  const week = told?.week ? weekText(told.week) : undefined;
  return (
    <Dialog
      title={week === undefined ? name : `${name}: ${week.reason}`}
      opened
      onClose={onClose}
      shape="drawer"
      wide
      footer={
        told && (
          <div className={styles.next}>
            <ScreenLink to="plant-detail" query={{ id: stationID }}>
              {t('fleet.openPlant')}
            </ScreenLink>
            <ActionButtons table={insightActions} row={told} small />
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
            <Lost told={told} since={week?.since ?? ''} />
            <DayStepper
              date={told.day}
              today={localDay(Date.now(), told.ianaTimezone)}
              onChange={(chosen) => setDay(chosen)}
            />
            <div className={styles.told} data-waiting={query.isPlaceholderData || undefined}>
              <Curve told={told} />
              {told.strings.map((strings) => (
                <StringsTable key={strings.deviceID} strings={strings} timeZone={told.ianaTimezone} />
              ))}
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
  told: { week, city, country, systemCapacity },
  since,
}: {
  told: DayEvidence;
  since: string;
}): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const facts = [city || format.country(country), format.capacity(systemCapacity, 1), since];
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
  const { name, source, peers, basis, reasons, ianaTimezone, isPlaneAssumed, curve, lossWh } = told;
  const isKnown = curve.actual.some((value) => value !== null) || curve.clear.some((value) => value !== null);
  const spans = reasons
    .flatMap((reason) => reason.spans)
    .map(({ fromMs, untilMs }) => `${format.time(fromMs, ianaTimezone)}–${format.time(untilMs, ianaTimezone)}`);
  if (!isKnown) return <EmptyState text={t('charts.noDay')} />;
  return (
    <figure>
      <figcaption className={styles.legend}>
        <span style={{ '--tone': 'var(--pv)' } as object}>{name}</span>
        {source === 'neighbours' && (
          <span style={{ '--tone': 'var(--line-strong)' } as object}>
            {t('insight.evidence.neighbours', { number: format.number(peers) })}
          </span>
        )}
        <span style={{ '--tone': 'var(--muted)' } as object}>
          {t(curve.expected.some((value) => value !== null) ? 'insight.evidence.expected' : 'insight.evidence.clear')}
        </span>
        <span className={styles.quiet} style={{ '--tone': 'transparent' } as object}>
          {t('insight.evidence.unit', { unit: format.kWpUnit })}
        </span>
      </figcaption>
      <EvidenceChart told={told} />
      {spans.length > 0 && (
        <p className={styles.lost}>
          {t('insight.evidence.marked', { spans: [...new Set(spans)].slice(0, 6).join(', ') })}
          {lossWh !== null && lossWh > 0 && (
            <> · {t('insight.evidence.dayLoss', { energy: `−${format.energy(lossWh)}` })}</>
          )}
        </p>
      )}
      {source === null && <p className={styles.quiet}>{t('insight.evidence.noNeighbours')}</p>}
      {basis === 'climate' && <p className={styles.quiet}>{t('insight.evidence.climate')}</p>}
      {isPlaneAssumed && <p className={styles.quiet}>{t('insight.evidence.assumed')}</p>}
    </figure>
  );
}

function Why({ told: { reasons, ruledOut, missing } }: { told: DayEvidence }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const lossText = useLossText();
  return (
    <>
      <h3>{t(reasons.length > 0 ? 'insight.evidence.why' : 'insight.evidence.whyNone')}</h3>
      <ul className={styles.list}>
        {reasons.map(({ reason, lossWh }) => (
          <li key={`${reason.kind} ${JSON.stringify(reason.evidence)}`} data-tone="found">
            <IconAlertTriangle size={18} aria-hidden="true" />
            <span>
              {lossText(reason).reason}
              {lossWh !== null && lossWh > 0 && ` (−${format.energy(lossWh)})`}
            </span>
          </li>
        ))}
        {ruledOut.map(({ measure, kind, value }) => (
          <li key={`${kind} ${measure}`} data-tone="checked">
            <IconCheck size={18} aria-hidden="true" />
            <span>{t(`insight.ruledOut.${measure}`, { value: format.percent(100 * value) })}</span>
          </li>
        ))}
        {missing.map((each) => (
          <li key={each} data-tone="open">
            <IconInfoCircle size={18} aria-hidden="true" />
            <span>
              {t('insight.evidence.notKnown')}: {t(`insight.missing.${each}`)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

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
        {lossWh === 0 ? t('insight.evidence.nothing') : t('insight.evidence.how')}
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
