import type { GridUnit } from '@sonnenwarte/contract/ems/ems';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { showEdges } from '../blocks/list/edge-shadow.ts';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
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
  const phone = useIsPhone();
  const isHeld = purchase.controller === 'portal';
  const columns: readonly UnitColumn[] = [
    { name: t('ems.gives'), unit: UNIT, of: ({ state, powerW }) => power(state === 'offline' ? null : powerW) },
    { name: t('ems.mayGive'), unit: UNIT, of: (unit) => <MayGive unit={unit} power={power} /> },
    { name: t('ems.rated'), unit: UNIT, of: ({ ratedW }) => power(ratedW) },
    ...(hasBatteries
      ? [
          {
            name: t('ems.batteryGives'),
            unit: UNIT,
            of: ({ battery, state }: GridUnit) => power(state === 'offline' ? null : (battery?.powerW ?? null)),
          },
          {
            name: t('ems.batteryMayGive'),
            unit: UNIT,
            of: ({ battery }: GridUnit) => <BatteryMayGive battery={battery} power={power} isHeld={isHeld} />,
          },
          {
            name: t('ems.charge'),
            unit: '',
            of: ({ battery }: GridUnit) =>
              battery === null || battery.socPercent === null ? NOT_MEASURED : format.percent(battery.socPercent),
          },
        ]
      : []),
  ];
  if (phone) return <UnitCards title={title} units={units} columns={columns} />;
  return (
    <Panel title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={showEdges} className={styles.scroll} tabIndex={0} aria-label={within}>
        <table className={styles.table} data-ages>
          <thead>
            <tr>
              <th scope="col">{t('ems.unit')}</th>
              <th scope="col">{t('ems.state')}</th>
              {columns.map(({ name, unit }) => (
                <th key={name} scope="col" data-end>
                  {name} {unit !== '' && <small>{unit}</small>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {units.map((unit) => (
              <tr key={unit.deviceID}>
                <th scope="row">
                  <UnitName unit={unit} />
                </th>
                <td>
                  <StatusTag state={unit.state} />
                </td>
                {columns.map(({ name, of }) => (
                  <td key={name} data-end>
                    {of(unit)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}

/** What is told of each inverter: in a column, or in a line of its card. */
interface UnitColumn {
  name: string;
  unit: string;
  of: (unit: GridUnit) => ReactNode;
}

const UnitName = ({ unit }: { unit: GridUnit }): ReactNode => (
  <>
    <ScreenLink to="device-inverter-detail" query={{ id: unit.deviceID }}>
      {unit.deviceSN}
    </ScreenLink>
    <small>{unit.deviceType}</small>
  </>
);

interface UnitCardsProps {
  title: string;
  units: readonly GridUnit[];
  columns: readonly UnitColumn[];
}

function UnitCards({ title, units, columns }: UnitCardsProps): ReactNode {
  return (
    <Panel title={title}>
      <ul className={styles.units} data-ages>
        {units.map((unit) => (
          <li key={unit.deviceID}>
            <div>
              <b>
                <UnitName unit={unit} />
              </b>
              <StatusTag state={unit.state} />
            </div>
            <dl>
              {columns.map(({ name, unit: inUnit, of }) => (
                <div key={name}>
                  <dt>
                    {name} {inUnit !== '' && <small>{inUnit}</small>}
                  </dt>
                  <dd>{of(unit)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
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

interface BatteryProps {
  battery: GridUnit['battery'];
  power: (w: number | null) => string;
  isHeld: boolean;
}

/** What its battery may give; where it takes no part in a limit, why. */
function BatteryMayGive({ battery, power, isHeld }: BatteryProps): ReactNode {
  const { t } = useTranslation();
  if (battery === null) return NOT_MEASURED;
  const { mayGiveW, pendingW, part } = battery;
  return (
    <>
      {power(mayGiveW)}
      {pendingW !== null && pendingW !== mayGiveW && (
        <small>{t('ems.pendingPower', { power: `${power(pendingW)} ${UNIT}` })}</small>
      )}
      {isHeld && part !== null && part !== 'holds' && <small>{t(`ems.part.${part}`)}</small>}
    </>
  );
}
