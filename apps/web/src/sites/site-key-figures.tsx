import { LEVEL } from '@sonnenwarte/contract/levels';
import type { FigureName, Site } from '@sonnenwarte/contract/sites/site';
import { figures } from '@sonnenwarte/contract/sites/sites';
import type { Quality } from '@sonnenwarte/contract/status';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { isIdle } from '../flow/flow-model.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { isArriving, markOf } from './preliminary.tsx';
import { useChangeSinceYesterday } from './use-change.ts';
import type { SiteNow } from './use-site-now.ts';

/** What today gave: energy, independence and money in words. */
export function SiteKeyFigures({
  site,
  now,
  moneyApart = false,
}: {
  site: Site;
  now: SiteNow;
  /** Today's money has a card of its own beside them. */
  moneyApart?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { today, live, stale, historyPercent } = now;
  const produced = format.energyQuantity(today?.generationWh ?? live?.todayWh ?? null);
  const consumed = format.energyQuantity(today?.consumptionWh ?? null);
  const fedIn = format.energyQuantity(today?.feedInWh ?? null);
  const charged = format.energyQuantity(today?.chargerWh ?? null);
  const mark = (name: FigureName): Quality => markOf(today?.qualities[name], historyPercent);
  const chargerW = live?.charger?.powerW ?? null;
  const isPhone = useIsPhone();
  const hasCharger = Boolean(live?.charger);
  /** Two to a row leave no hole: with both, how full the battery is stands in the picture above, and without either there is a figure more. */
  const hasBattery = Boolean(live?.battery) && !(isPhone && hasCharger);
  const hasPurchase = isPhone && !hasBattery && !hasCharger;

  return (
    <KeyFigures>
      <KeyFigure
        label={t('sites.kpi.produced')}
        {...produced}
        tone="pv"
        quality={today ? mark('generationWh') : markOf(live?.todayQuality, historyPercent)}
        late={stale}
        hint={t('sites.hint.generationWh')}
        note={isArriving(now) ? undefined : <ComparedToYesterday site={site} />}
      />
      <KeyFigure
        label={t('sites.kpi.consumed')}
        {...consumed}
        tone="load"
        quality={mark('consumptionWh')}
        late={stale}
        hint={t('sites.hint.consumptionWh')}
        note={
          typeof today?.selfSufficiencyPercent === 'number'
            ? t('sites.note.ownSun', { percent: format.percent(today.selfSufficiencyPercent) })
            : undefined
        }
      />
      {live?.battery && hasBattery && (
        <KeyFigure
          label={t('sites.kpi.battery')}
          value={live.battery.socPercent === null ? '–' : format.number(live.battery.socPercent)}
          unit={live.battery.socPercent === null ? '' : '%'}
          tone="battery"
          late={stale}
          hint={t('sites.hint.battery')}
          note={stale ? undefined : <BatteryNote powerW={live.battery.powerW} />}
        />
      )}
      <KeyFigure
        label={t('sites.kpi.fedIn')}
        {...fedIn}
        tone="grid"
        quality={mark('feedInWh')}
        late={stale}
        hint={t('sites.hint.feedInWh')}
        note={
          today?.income && !moneyApart
            ? t('sites.note.earned', { money: format.money(today.income, site.currency) })
            : typeof today?.purchaseWh === 'number' && !hasPurchase
              ? t('sites.note.bought', { energy: format.energy(today.purchaseWh) })
              : undefined
        }
      />
      {hasPurchase && (
        <KeyFigure
          label={t('sites.figure.purchaseWh')}
          {...format.energyQuantity(today?.purchaseWh ?? null)}
          tone="grid"
          quality={mark('purchaseWh')}
          late={stale}
          hint={t('sites.hint.purchaseWh')}
        />
      )}
      {live?.charger && (
        <KeyFigure
          label={t('sites.kpi.charging')}
          {...charged}
          tone="charger"
          quality={mark('chargerWh')}
          late={stale}
          hint={t('sites.hint.chargerWh')}
          note={<ChargerNote stationID={site.stationID} powerW={stale ? undefined : chargerW} />}
        />
      )}
    </KeyFigures>
  );
}

/** What the charging station does now, as far as that is known; its owner gets from here to where it is told what to do. */
function ChargerNote({ stationID, powerW }: { stationID: string; powerW: number | null | undefined }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const isOwner = useGlobalState((state) => state.access) === LEVEL.endUser;
  const doing =
    powerW === undefined
      ? ''
      : isIdle(powerW)
        ? t('sites.note.resting')
        : t('sites.note.chargingNow', { power: format.power(powerW) });
  return (
    <>
      {doing}
      {isOwner && (
        <>
          {doing !== '' && ' · '}
          <ScreenLink to="pile-edit" query={{ stationID }}>
            {t('sites.note.controlCharging')}
          </ScreenLink>
        </>
      )}
    </>
  );
}

function BatteryNote({ powerW }: { powerW: number | null }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (powerW === null) return t('charts.notMeasured');
  if (isIdle(powerW)) return t('sites.note.resting');
  const power = format.power(Math.abs(powerW));
  return powerW < 0 ? t('sites.note.chargingNow', { power }) : t('sites.note.dischargingNow', { power });
}

/** Against yesterday up to the same time of day; where that cannot be said, what the whole of yesterday gave. */
function ComparedToYesterday({ site }: { site: Site }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const sums = useQuery(read(figures, { stationID: site.stationID }));
  const change = useChangeSinceYesterday(site);
  if (change !== null) return t('sites.note.vsYesterday', { change: format.change(change) });
  const before = sums.data?.yesterday.generationWh ?? null;
  return before === null ? null : t('sites.note.yesterday', { energy: format.energy(before) });
}
