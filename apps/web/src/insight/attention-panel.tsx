import { attention, MOST_TROUBLED, type TroubledSite } from '@sonnenwarte/contract/fleet/fleet';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusMark } from '../blocks/show/status-tag.tsx';
import { WhenIdle } from '../blocks/show/when-idle.tsx';
import { read } from '../client/queries.ts';
import { localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { lazyComponent } from '../lazy-screen.ts';
import { useAttentionText } from './attention-text.ts';
import type { EvidenceProps } from './evidence-dialog.tsx';
import { Evidence } from './evidence-part.ts';
import styles from './insight.module.css';
import { WeekBand } from './week-band.tsx';

/** Home is read before anything is done there. */
const RowMenu = lazyComponent(async () => (await import('./row-menu.tsx')).RowMenu);

const REFRESH_MS = 30_000;

interface AttentionProps {
  /** An owner sees no list of plants beside it. */
  isOwn?: boolean;
}

/** The plants that lose energy or are not normal: the costliest first, then those of which the loss is not known. */
export function AttentionPanel({ isOwn = false }: AttentionProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [page, setPage] = useState(1);
  const [isPaused, setPaused] = useState(false);
  const [shown, setShown] = useState<Shown>();
  const query = useQuery({
    ...read(attention, { ...(page > 1 && { currentPage: page }), ...(isPaused && { paused: 'yes' as const }) }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const { plants = [], total = 0, paused = 0, sums = [] } = query.data ?? {};
  const week = plants.find((plant) => plant.week !== null)?.week;
  // Whatever is valued stands first, so the sum follows it on the page where that ends.
  const valued = plants.filter(isValued);
  const others = plants.filter((plant) => !isValued(plant));
  if (isOwn && total === 0 && paused === 0 && !isPaused) return null;
  const show = (isOfPaused: boolean) => {
    setPaused(isOfPaused);
    setPage(1);
  };
  return (
    <Panel
      title={t('fleet.notNormal')}
      actions={
        <>
          {week && (
            <span className={styles.quiet}>
              {t('losses.attention.period', { from: format.day(week.first), to: format.day(week.last) })}
            </span>
          )}
          {isPaused ? (
            <Button small look="plain" onClick={() => show(false)}>
              {t('losses.attention.back')}
            </Button>
          ) : (
            paused > 0 && (
              <Button small look="plain" onClick={() => show(true)}>
                {t('losses.attention.paused', { number: format.number(paused) })}
              </Button>
            )
          )}
          {!isOwn && <ScreenLink to="plant-view">{t('fleet.openList')}</ScreenLink>}
        </>
      }
    >
      {query.error && (
        <ErrorNotice error={query.error} retry={() => void query.refetch()} keepsShown={plants.length > 0} />
      )}
      {!query.data && !query.error && (
        <LoadingSkeleton>
          <Skeleton height="6rem" />
        </LoadingSkeleton>
      )}
      {query.data && total === 0 && <p className={styles.quiet}>{t('losses.attention.none')}</p>}
      {plants.length > 0 && (
        <div className={styles.head} aria-hidden="true">
          <span />
          <span>{t('losses.attention.plant')}</span>
          <span>{t('losses.attention.reason')}</span>
          <span>{t('losses.attention.step')}</span>
          <span>{t('losses.attention.band')}</span>
          <span>{t('losses.attention.loss')}</span>
        </div>
      )}
      <ul className={styles.rows} data-ages>
        {valued.map((plant) => (
          <AttentionRow key={plant.stationID} plant={plant} onOpen={setShown} />
        ))}
        {valued.length > 0 && sums.length > 0 && (
          <li className={styles.sum}>
            <strong>{t('losses.attention.sum')}</strong>
            <span className={styles.quiet}>{t('losses.attention.sumNote')}</span>
            <span className={styles.sums}>
              {sums.map(({ currency, lossWh, lossMoney }) => (
                <span key={currency}>
                  {minus(format.energy(lossWh))} <strong>{minus(format.money(lossMoney, currency))}</strong>
                </span>
              ))}
            </span>
          </li>
        )}
        {others.map((plant) => (
          <AttentionRow key={plant.stationID} plant={plant} onOpen={setShown} />
        ))}
      </ul>
      {(total > MOST_TROUBLED || page > 1) && (
        <div className={styles.pages}>
          <Button small disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('common.previousPage')}
          </Button>
          <Button small disabled={page * MOST_TROUBLED >= total} onClick={() => setPage(page + 1)}>
            {t('common.nextPage')}
          </Button>
        </div>
      )}
      {shown && (
        <Suspense>
          <Evidence {...shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </Panel>
  );
}

const isValued = ({ isLosing, week }: TroubledSite): boolean => isLosing && week !== null && week.lossMoney !== null;

/** A loss is told as what is missing. */
const minus = (text: string): string => `−${text}`;

type Shown = Omit<EvidenceProps, 'onClose'>;

function AttentionRow({ plant, onOpen }: { plant: TroubledSite; onOpen: (shown: Shown) => void }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const attentionText = useAttentionText();
  const { stationID, name, state, city, country, systemCapacity, ianaTimezone, week, isDue, isLosing, pause } = plant;
  const { reason, since, facts, step, beganMs } = attentionText({ ...plant, losing: isLosing ? week : null });
  const said = pause
    ? [
        t('losses.attention.putOff', {
          day: format.day(pause.until),
          reason: t(`losses.putOff.${pause.reason}`),
        }),
      ]
    : [...facts];
  if (isDue) said.push(t('losses.attention.due'));
  // What is told here is what the evidence is of: its day is that on which the trouble began.
  const open = () =>
    onOpen({
      stationID,
      name,
      reason,
      since,
      ...(beganMs !== null && { date: localDay(beganMs, ianaTimezone) }),
    });
  return (
    <li className={styles.row}>
      <StatusMark state={state} />
      <span className={styles.name}>
        <ScreenLink to="plant-detail" query={{ id: stationID }}>
          {name}
        </ScreenLink>
        <small>
          {[t(`states.${state}`), city || format.country(country), format.capacity(systemCapacity, 1)]
            .filter((each) => each !== '')
            .join(' · ')}
        </small>
      </span>
      <span className={styles.name}>
        <strong>{reason}</strong>
        <small>{said.join(' · ')}</small>
      </span>
      <span className={styles.step}>{step}</span>
      <span className={styles.bandCell}>
        <span className={styles.label} aria-hidden="true">
          {t('losses.attention.band')}:{' '}
        </span>
        {week !== null && state !== 'offline' ? (
          <WeekBand week={week} />
        ) : (
          <span className={styles.quiet}>{t('losses.attention.notKnown')}</span>
        )}
      </span>
      <span className={styles.loss}>
        {isLosing && week?.lossWh != null ? (
          <>
            <span>{minus(format.energy(week.lossWh))}</span>
            <strong>
              {week.lossMoney === null
                ? t('losses.attention.notKnown')
                : minus(format.money(week.lossMoney, week.currency))}
            </strong>
          </>
        ) : (
          <span className={styles.quiet}>{t('losses.attention.notKnown')}</span>
        )}
      </span>
      <span className={styles.does}>
        <span className={styles.opens}>
          <Button small onClick={open} aria-label={t('losses.attention.evidenceOf', { name })}>
            {t('losses.attention.evidence')}
          </Button>
        </span>
        <WhenIdle>
          <Suspense>
            <RowMenu plant={plant} />
          </Suspense>
        </WhenIdle>
      </span>
    </li>
  );
}
