import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Freshness } from '../blocks/show/freshness.tsx';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { Later } from '../blocks/show/later.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { HomeClaims } from '../device-claims/home-claims.tsx';
import type { Quantity } from '../format/quantities.ts';
import { type Format, useFormat } from '../format/use-format.ts';
import { HomeAlarms } from '../incidents/home-alarms-part.ts';
import { AttentionPanel } from '../insight/attention-panel.tsx';
import { lazyComponent } from '../lazy-screen.ts';
import { PreliminaryCount } from '../sites/preliminary.tsx';
import { FirstPlant } from '../welcome/welcome-part.ts';
import { useCostliest } from './costliest.ts';
import { EstimatedSums } from './estimated-sums.tsx';
import styles from './fleet.module.css';
import { FleetMoneyFigures } from './fleet-money-figures.tsx';
import { HomePending } from './home-pending.tsx';
import { FLEET_INTERVAL_S, useFleetNow } from './use-fleet-now.ts';
import { StateTiles, Verdict } from './verdict.tsx';

const FleetTiles = lazyComponent(async () => (await import('./fleet-tiles.tsx')).FleetTiles);

const W_PER_KW = 1000;

/** A quantity of a fleet: what is below a thousand has the same unit as the rest. */
function inKilo(value: number | null, unit: 'kW' | 'kWh', format: Format): Quantity {
  if (value !== null && Math.abs(value) < 1000) {
    return { value: format.number(value / 1000, value === 0 ? 0 : 2), unit };
  }
  return unit === 'kW' ? format.powerQuantity(value) : format.energyQuantity(value);
}

/** Mass of a fleet's CO2: tonnes from one on. */
const massQuantity = (kg: number | null, format: Format): Quantity => {
  if (kg === null) return { value: '–', unit: '' };
  return kg < 1000 ? { value: format.number(kg, 0), unit: 'kg' } : { value: format.number(kg / 1000, 1), unit: 't' };
};

/** Home of who looks after plants: what is wrong and where, then what the plants give. */
export function FleetHome(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { fleet, broken, error, retry } = useFleetNow();
  const costliest = useCostliest();
  if (!fleet) return <HomePending error={error} retry={retry} />;
  const { plants } = fleet;
  const installedCapacity = fleet.installedCapacity ?? 0;
  const share =
    fleet.pvPowerW === null || installedCapacity <= 0 ? null : (100 * fleet.pvPowerW) / (installedCapacity * W_PER_KW);
  // A plant whose values are still coming has told none of today.
  const isComing = plants.total > 0 && fleet.preliminary === plants.total && fleet.todayWh === 0;
  const todayWh = isComing ? null : fleet.todayWh;
  const co2Today = massQuantity(isComing ? null : fleet.co2TodayKg, format);
  const todayKwp = fleet.todayCapacity ?? 0;
  const perKwp = todayWh === null || todayKwp <= 0 ? null : format.energy(todayWh / todayKwp);
  const ofPlants = (number: number): string =>
    t('fleet.reporting', { number: format.number(number), total: format.number(plants.total) });
  const todayNotes = [
    ...(perKwp === null ? [] : [t('fleet.perKwp', { value: perKwp })]),
    ...(todayWh === null || fleet.todayPlants >= plants.total ? [] : [ofPlants(fleet.todayPlants)]),
  ];
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1>{t('routes.bus-index')}</h1>
        <Freshness asOfMs={fleet.asOfMs} intervalS={FLEET_INTERVAL_S} />
      </header>
      {plants.total === 0 ? (
        <FirstPlant />
      ) : (
        <>
          <Panel>
            <div className={styles.state}>
              <Verdict
                counts={plants}
                asOfMs={broken ? fleet.asOfMs : undefined}
                telling={costliest}
                text={(count, texts) => t('fleet.attention', { count, ...texts })}
                textThen={(texts) => t('fleet.then.plants', texts)}
              />
              <StateTiles
                label={t('fleet.plants')}
                counts={plants}
                target={(state) => ({ to: 'plant-view', query: { 'condition.state': state } })}
              />
            </div>
            <div className={styles.alarms}>
              <Suspense fallback={null}>
                <HomeAlarms to="alarm" mine />
              </Suspense>
            </div>
          </Panel>
          <HomeClaims />
          <AttentionPanel />
          <PreliminaryCount of="plants" count={fleet.preliminary} total={plants.total} />
          <KeyFigures>
            <KeyFigure
              label={t('fleet.powerNow')}
              {...inKilo(fleet.pvPowerW, 'kW', format)}
              tone="pv"
              late={broken}
              note={
                fleet.reporting < plants.total
                  ? ofPlants(fleet.reporting)
                  : share === null
                    ? undefined
                    : t('fleet.share', { percent: format.percent(share) })
              }
            />
            <KeyFigure
              label={t('fleet.today')}
              {...inKilo(todayWh, 'kWh', format)}
              tone="pv"
              late={broken}
              note={todayNotes.length === 0 ? undefined : todayNotes.join(' · ')}
            />
            <KeyFigure label={t('fleet.month')} {...format.energyQuantity(fleet.monthWh)} tone="brand" />
            <FleetMoneyFigures money={fleet.money} />
            <KeyFigure label={t('fleet.total')} {...format.energyQuantity(fleet.totalWh)} tone="brand" />
            <KeyFigure
              label={t('fleet.co2')}
              {...massQuantity(fleet.co2TotalKg, format)}
              tone="brand"
              note={t('fleet.co2Today', { mass: `${co2Today.value} ${co2Today.unit}`.trim() })}
            />
            <KeyFigure label={t('fleet.installed')} {...format.capacityQuantity(installedCapacity, 1)} tone="grid" />
          </KeyFigures>
          <EstimatedSums fleet={fleet} />
          <Later>
            <FleetTiles isComing={fleet.preliminary > 0} />
          </Later>
        </>
      )}
    </div>
  );
}
