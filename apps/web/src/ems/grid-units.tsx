import type { GridUnit } from '@sonnenwarte/contract/ems/ems';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { showEdges } from '../blocks/list/edge-shadow.ts';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './ems.module.css';
import type { GridLimit } from './grid-actions.tsx';

/** Of all columns of powers. */
const UNIT = 'kW';
const W_PER_KW = 1_000;

/** The inverters behind the grid point: what each gives, and what it may give. */
export function GridUnits({ grid: { units, purchase } }: { grid: GridLimit }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const power = (w: number | null): string => (w === null ? NOT_MEASURED : format.number(w / W_PER_KW, 2));
  const title = t('ems.units');
  const hasBatteries = units.some(({ battery }) => battery !== null);
  const within = `${t('routes.device-ems-config')}: ${title}`;
  return (
    <Panel title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={showEdges} className={styles.scroll} tabIndex={0} aria-label={within}>
        <table className={styles.table} data-ages>
          <thead>
            <tr>
              <th scope="col">{t('ems.unit')}</th>
              <th scope="col">{t('ems.state')}</th>
              <th scope="col" data-end>
                {t('ems.gives')} <small>{UNIT}</small>
              </th>
              <th scope="col" data-end>
                {t('ems.mayGive')} <small>{UNIT}</small>
              </th>
              <th scope="col" data-end>
                {t('ems.rated')} <small>{UNIT}</small>
              </th>
              {hasBatteries && (
                <>
                  <th scope="col" data-end>
                    {t('ems.batteryGives')} <small>{UNIT}</small>
                  </th>
                  <th scope="col" data-end>
                    {t('ems.batteryMayGive')} <small>{UNIT}</small>
                  </th>
                  <th scope="col" data-end>
                    {t('ems.charge')}
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {units.map((unit) => (
              <tr key={unit.deviceID}>
                <th scope="row">
                  <ScreenLink to="device-inverter-detail" query={{ id: unit.deviceID }}>
                    {unit.deviceSN}
                  </ScreenLink>
                  <small>{unit.deviceType}</small>
                </th>
                <td>
                  <StatusTag state={unit.state} />
                </td>
                <td data-end>{power(unit.state === 'offline' ? null : unit.powerW)}</td>
                <td data-end>
                  <MayGive unit={unit} power={power} />
                </td>
                <td data-end>{power(unit.ratedW)}</td>
                {hasBatteries && <BatteryCells unit={unit} power={power} isHeld={purchase.controller === 'portal'} />}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

function MayGive({ unit, power }: { unit: GridUnit; power: (w: number | null) => string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { limitPercent, pendingPercent, ratedW } = unit;
  const shown = limitPercent === null || ratedW === null ? null : (limitPercent * ratedW) / 100;
  return (
    <>
      {power(shown)}
      {limitPercent !== null && <small>{format.percent(limitPercent)}</small>}
      {pendingPercent !== null && pendingPercent !== limitPercent && (
        <small>{t('ems.pending', { percent: format.percent(pendingPercent) })}</small>
      )}
    </>
  );
}

interface BatteryCellsProps {
  unit: GridUnit;
  power: (w: number | null) => string;
  isHeld: boolean;
}

/** What its battery gives, may give and holds; where it takes no part in a limit, why. */
function BatteryCells({ unit: { battery, state }, power, isHeld }: BatteryCellsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (battery === null) {
    return (
      <>
        <td data-end>{NOT_MEASURED}</td>
        <td data-end>{NOT_MEASURED}</td>
        <td data-end>{NOT_MEASURED}</td>
      </>
    );
  }
  const { mayGiveW, pendingW, part, powerW, socPercent } = battery;
  return (
    <>
      <td data-end>{power(state === 'offline' ? null : powerW)}</td>
      <td data-end>
        {power(mayGiveW)}
        {pendingW !== null && pendingW !== mayGiveW && (
          <small>{t('ems.pendingPower', { power: `${power(pendingW)} ${UNIT}` })}</small>
        )}
        {isHeld && part !== null && part !== 'holds' && <small>{t(`ems.part.${part}`)}</small>}
      </td>
      <td data-end>{socPercent === null ? NOT_MEASURED : format.percent(socPercent)}</td>
    </>
  );
}
