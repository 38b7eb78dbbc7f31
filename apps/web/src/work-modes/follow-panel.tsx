import { isOpenCommand } from '@sonnenwarte/contract/commands/command';
import {
  dayReasons,
  type Followed,
  type FollowStep,
  follow,
  followed,
  unfollow,
} from '@sonnenwarte/contract/work-modes/follow';
import { IconPlayerStop, IconSunElectricity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { Toggle } from '../blocks/form/toggle.tsx';
import { Badge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import type { Permitted } from '../client/permit.ts';
import { read, useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import own from './follow.module.css';
import { usePeriodText } from './period-text.ts';
import { clockOf } from './plan-edit.ts';
import styles from './work-modes.module.css';

const REFRESH_MS = 30_000;
const UNDER_WAY_MS = 2_000;
const FEW = 4;

const isUnderWay = (steps: readonly FollowStep[]): boolean =>
  steps.some(({ state }) => state !== null && isOpenCommand(state));

/** Whether the portal plans the battery day by day by prices and sun: switched on, what it did and why, and stopped by one click. */
export function FollowPanel({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({
    ...read(followed, { stationID }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.steps ?? []) ? UNDER_WAY_MS : REFRESH_MS),
  });
  const { data } = query;
  return (
    <Panel
      title={t('work-modes.follow.title')}
      actions={data?.since && <Badge tone="good">{t('work-modes.follow.on')}</Badge>}
    >
      <ReadState query={query}>
        <Skeleton height="6rem" />
      </ReadState>
      {data && (
        <div className={styles.fields}>
          {data.since === null ? <Off stationID={stationID} data={data} /> : <On stationID={stationID} data={data} />}
          <Steps data={data} />
        </div>
      )}
    </Panel>
  );
}

interface PartProps {
  stationID: string;
  data: Followed;
}

function Off({ stationID, data }: PartProps): ReactNode {
  const { t } = useTranslation();
  const [trades, setTrades] = useState(false);
  const { obstacle, can } = data;
  return (
    <>
      <p className={styles.note}>{t('work-modes.follow.lead')}</p>
      {obstacle !== null && <p role="status">{t(`work-modes.follow.obstacle.${obstacle}`)}</p>}
      {can.write && obstacle === null && (
        <>
          <Toggle label={t('work-modes.follow.trades')} checked={trades} onChange={setTrades} />
          <Can of={follow}>{(of) => <StartButton of={of} stationID={stationID} trades={trades} />}</Can>
        </>
      )}
    </>
  );
}

function StartButton({
  of,
  stationID,
  trades,
}: {
  of: Permitted<typeof follow>;
  stationID: string;
  trades: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const starting = useWrite(of);
  return (
    <span>
      <Button
        look="filled"
        disabled={starting.isPending}
        onClick={() => starting.mutate({ stationID, tradesWithGrid: trades })}
      >
        <IconSunElectricity size={17} aria-hidden="true" />
        {t('work-modes.follow.start')}
      </Button>
    </span>
  );
}

function On({ stationID, data }: PartProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { since, ianaTimezone, can, steps } = data;
  const today = steps.find(({ reason }) => isOfDay(reason) || reason === 'noPrices' || reason === 'noForecast');
  return (
    <>
      {today && (
        <p className={own.followed}>
          <strong>{t(`work-modes.follow.reason.${today.reason}`)}</strong> <Inputs step={today} />
        </p>
      )}
      <p className={styles.note}>
        {t('work-modes.follow.since', {
          time: format.dateTime(since?.atMs ?? null, ianaTimezone),
          by: since?.by ?? '',
        })}{' '}
        {t(since?.tradesWithGrid ? 'work-modes.follow.tradesYes' : 'work-modes.follow.tradesNo')}{' '}
        {t('work-modes.follow.byHandEnds')}
      </p>
      {can.write && <Can of={unfollow}>{(of) => <StopButton of={of} stationID={stationID} />}</Can>}
    </>
  );
}

function StopButton({ of, stationID }: { of: Permitted<typeof unfollow>; stationID: string }): ReactNode {
  const { t } = useTranslation();
  const stopping = useWrite(of);
  return (
    <span>
      <Button look="danger-quiet" disabled={stopping.isPending} onClick={() => stopping.mutate({ stationID })}>
        <IconPlayerStop size={17} aria-hidden="true" />
        {t('work-modes.follow.stop')}
      </Button>
    </span>
  );
}

const isOfDay = (reason: FollowStep['reason']): boolean => dayReasons.some((each) => each === reason);

/** What a step went by, in words. */
function Inputs({ step }: { step: FollowStep }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { cause, cheapest, dearest, generationWh, demandWh, saved, currency, reason } = step;
  const told = [
    cause === null ? '' : t(`work-modes.follow.cause.${cause}`),
    cheapest !== null && dearest !== null
      ? t('work-modes.follow.prices', {
          cheapest: format.unitPrice(cheapest.price, currency),
          cheapAt: clockOf(cheapest.startMin),
          dearest: format.unitPrice(dearest.price, currency),
          dearAt: clockOf(dearest.startMin),
        })
      : '',
    generationWh !== null && demandWh !== null
      ? t('work-modes.follow.expected', { sun: format.energy(generationWh), house: format.energy(demandWh) })
      : '',
    saved !== null && isOfDay(reason) && Number(saved) > 0
      ? t('work-modes.follow.saves', { money: format.money(saved, currency) })
      : '',
  ].filter((each) => each !== '');
  return told.join(' ');
}

function Steps({ data }: { data: Followed }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const text = usePeriodText();
  const [all, setAll] = useState(false);
  const { steps, ianaTimezone } = data;
  if (steps.length === 0) return null;
  return (
    <>
      <ol className={own.steps} aria-label={t('work-modes.follow.steps')}>
        {(all ? steps : steps.slice(0, FEW)).map((step) => (
          <li key={step.stepID} className={own.step}>
            <span className={own.stepHead}>
              <time>{format.dateTime(step.atMs, ianaTimezone)}</time>
              <b>{t(`work-modes.follow.reason.${step.reason}`)}</b>
              {step.by !== '' && <span>{step.by}</span>}
              {step.state !== null && (
                <Badge tone={step.state === 'confirmed' ? 'good' : isOpenCommand(step.state) ? 'brand' : 'bad'}>
                  {t(`work-modes.state.${step.state}`)}
                </Badge>
              )}
            </span>
            <small>
              {step.plan?.periods.map((period) => `${text.times(period)} ${text.action(period.action)}`).join(' · ')}
            </small>
            <small>
              <Inputs step={step} />
            </small>
          </li>
        ))}
      </ol>
      {steps.length > FEW && (
        <span>
          <Button small look="plain" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? 'work-modes.follow.fewer' : 'work-modes.follow.more', { count: steps.length })}
          </Button>
        </span>
      )}
    </>
  );
}
