import { type Pile, setMode } from '@sonnenwarte/contract/chargers/chargers';
import {
  type Icon,
  IconAlertTriangle,
  IconBolt,
  IconCar,
  IconClock,
  IconPlayerPause,
  IconPlugConnectedX,
  IconSun,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Can } from '../blocks/actions/can.tsx';
import { useActions } from '../blocks/actions/use-actions.tsx';
import { RowActions } from '../blocks/list/row-actions.tsx';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './chargers.module.css';
import { ModeForm } from './mode-form.tsx';
import { chargingActions, pileActions } from './pile-actions.tsx';

const icons: Readonly<Record<Pile['why'], Icon>> = {
  offline: IconPlugConnectedX,
  faulted: IconAlertTriangle,
  noCar: IconCar,
  stopped: IconPlayerPause,
  vehicleWaits: IconCar,
  fast: IconBolt,
  solar: IconSun,
  minimum: IconSun,
  waitingForSun: IconSun,
  contactorPause: IconPlayerPause,
  switchingPhases: IconPlayerPause,
  unknownSurplus: IconAlertTriangle,
  scheduled: IconClock,
  outsideTimes: IconClock,
  noLimits: IconAlertTriangle,
};

/** What a reason is, for the colour that it stands in: only charging looks like charging. */
const kinds: Readonly<Record<Pile['why'], 'charging' | 'waiting' | 'offline' | 'warning' | 'fault'>> = {
  offline: 'offline',
  faulted: 'fault',
  noCar: 'waiting',
  stopped: 'waiting',
  vehicleWaits: 'waiting',
  fast: 'charging',
  solar: 'charging',
  minimum: 'charging',
  waitingForSun: 'waiting',
  contactorPause: 'waiting',
  switchingPhases: 'waiting',
  unknownSurplus: 'warning',
  scheduled: 'charging',
  outsideTimes: 'waiting',
  noLimits: 'warning',
};

/** One charging pile: what it does and why, how it charges, and what it is. */
export function PilePanel({ pile, title, zone }: { pile: Pile; title: string; zone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const table = useActions(pileActions);
  const power = format.powerQuantity(pile.powerW);
  const session = format.energyQuantity(pile.sessionWh);
  const ampere = (a: number | null): string => format.number(a, a === null || Number.isInteger(a) ? 0 : 1);
  return (
    <Panel title={title} actions={<RowActions name={title} actions={table.of(pile)} />}>
      <Why pile={pile} zone={zone} />
      <KeyFigures>
        <KeyFigure
          label={t('chargers.now.power')}
          value={power.value}
          unit={power.unit}
          tone="charger"
          late={!pile.online}
        />
        <KeyFigure
          label={t('chargers.now.session')}
          value={session.value}
          unit={session.unit}
          tone="charger"
          late={!pile.online}
          note={
            pile.sessionBeganMs === null
              ? undefined
              : t('chargers.now.since', { time: format.time(pile.sessionBeganMs, zone) })
          }
        />
        <KeyFigure
          label={t('chargers.now.offered')}
          value={ampere(pile.offeredA)}
          unit={pile.offeredA === null ? '' : 'A'}
          note={pile.offeredPhases === null ? undefined : t('chargers.now.phases', { number: pile.offeredPhases })}
        />
        {pile.surplusW !== null && (
          <KeyFigure label={t('chargers.now.surplus')} {...format.powerQuantity(pile.surplusW)} tone="pv" />
        )}
      </KeyFigures>
      <div className={styles.buttons}>
        <ActionButtons table={chargingActions} row={pile} look={pile.isStopped ? 'filled' : 'default'} named />
      </div>
      {pile.can.control ? (
        <Can of={setMode}>{(of) => <ModeForm key={pile.deviceID} pile={pile} of={of} />}</Can>
      ) : (
        <p className={styles.meaning}>
          <strong>{t(`chargers.mode.${pile.mode}`)}</strong> {t(`chargers.meaning.${pile.mode}`)}
        </p>
      )}
      <div className={styles.facts}>
        <PropertyList
          items={[
            { label: t('chargers.field.deviceSN'), value: pile.deviceSN },
            { label: t('chargers.field.ratedPowerW'), value: format.power(pile.ratedPowerW) },
            { label: t('chargers.field.phases'), value: t(`chargers.phases.${pile.phases}`) },
            { label: t('chargers.field.mostCurrentA'), value: `${format.number(pile.mostCurrentA)} A` },
            { label: t('chargers.field.maker'), value: [pile.vendor, pile.model].filter(Boolean).join(' ') },
            {
              label: t('chargers.field.firmware'),
              value: [pile.firmware, pile.firmwareState && t(`chargers.firmware.${pile.firmwareState}`)]
                .filter(Boolean)
                .join(' · '),
            },
            { label: t('chargers.field.protocol'), value: pile.protocol.replace('ocpp', 'OCPP ') },
          ]}
        />
      </div>
      {table.dialogs}
    </Panel>
  );
}

function Why({ pile, zone }: { pile: Pile; zone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { why, whyUntilMs, updatedAtMs } = pile;
  const Sign = icons[why];
  const more =
    why === 'offline'
      ? updatedAtMs === null
        ? t('chargers.neverSeen')
        : t('chargers.lastSeen', { time: format.dateTime(updatedAtMs, zone) })
      : whyUntilMs !== null && t('chargers.until', { time: format.time(whyUntilMs, zone) });
  return (
    <div className={styles.why} role="status" data-kind={kinds[why]}>
      <Sign size={20} aria-hidden="true" />
      <div>
        <p>{t(`chargers.why.${why}`)}</p>
        {more && <small>{more}</small>}
      </div>
    </div>
  );
}
