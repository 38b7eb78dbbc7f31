import type { ParallelUnit, UnitGroup } from '@sonnenwarte/contract/parallel-system/parallel-system';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { showEdges } from '../blocks/list/edge-shadow.ts';
import { BriefFreshness, Freshness } from '../blocks/show/freshness.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { shownPowers, W_PER_STEP } from './shown-powers.ts';
import styles from './unit-table.module.css';

/** Of the powers of the table; W_PER_STEP is a hundredth of it. */
const UNIT = 'kW';

interface UnitTableProps {
  group: UnitGroup;
  kind: 'inverter' | 'battery';
  /** The line is down: nothing is of now. */
  late: boolean;
}

/** Units side by side and their sum. Powers are rounded to what adds up to the rounded sum. */
export function UnitTable({ group, kind, late }: UnitTableProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { units, sumW, reporting, socPercent } = group;
  const isNow = ({ state, powerW }: ParallelUnit) => state !== 'offline' && powerW !== null;
  const shown = shownPowers(units.map((unit) => (isNow(unit) ? unit.powerW : null)));
  const kW = (hundredths: number | null) => (hundredths === null ? NOT_MEASURED : format.number(hundredths / 100, 2));
  const hasCharge = units.some((unit) => unit.socPercent !== null);
  const title = t(kind === 'inverter' ? 'parallel-system.inverters' : 'parallel-system.batteries');
  const most = Math.max(1, ...units.map(({ powerW }) => Math.abs(powerW ?? 0)));
  return (
    <BriefFreshness value>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section ref={showEdges} className={styles.scroll} tabIndex={0} aria-label={title}>
        <table className={styles.table} data-late={late || undefined} data-ages>
          <thead>
            <tr>
              <th scope="col">{t('parallel-system.unit')}</th>
              {kind === 'inverter' && <th scope="col">{t('parallel-system.role')}</th>}
              <th scope="col">{t('parallel-system.state')}</th>
              <th scope="col" data-end>
                {t('parallel-system.power')} <small>{UNIT}</small>
              </th>
              <th scope="col" data-end>
                {t('parallel-system.deviation')}
              </th>
              {hasCharge && (
                <th scope="col" data-end>
                  {t('flow.soc')}
                </th>
              )}
              <th scope="col">{t('parallel-system.updated')}</th>
            </tr>
          </thead>
          <tbody>
            {units.map((unit, index) => (
              <tr key={unit.deviceID} data-marked={unit.isMarked || undefined}>
                <th scope="row">
                  {kind === 'inverter' ? (
                    <ScreenLink to="device-inverter-detail" query={{ id: unit.deviceID }}>
                      {unit.deviceSN}
                    </ScreenLink>
                  ) : (
                    unit.deviceSN
                  )}
                  <small>{unit.deviceType}</small>
                </th>
                {kind === 'inverter' && (
                  <td>
                    {unit.role === null ? t('parallel-system.roleUnknown') : t(`parallel-system.roles.${unit.role}`)}
                  </td>
                )}
                <td>
                  <StatusTag state={unit.state} />
                </td>
                <td data-end>
                  {kW(shown[index] ?? null)}
                  <span className={styles.bar} aria-hidden="true">
                    <i style={{ width: `${isNow(unit) ? (100 * Math.abs(unit.powerW ?? 0)) / most : 0}%` }} />
                  </span>
                </td>
                <td data-end className={styles.deviation}>
                  {unit.isMarked && <IconAlertTriangle size={15} role="img" aria-label={t('parallel-system.marked')} />}
                  {unit.deviationPercent === null ? NOT_MEASURED : format.change(unit.deviationPercent)}
                </td>
                {hasCharge && <td data-end>{format.percent(isNow(unit) ? unit.socPercent : null)}</td>}
                <td>
                  <Freshness asOfMs={unit.updatedAtMs} intervalS={unit.intervalS} offline={unit.state === 'offline'} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('parallel-system.sum')}</th>
              {kind === 'inverter' && <td />}
              <td>
                {t('parallel-system.reporting', {
                  number: format.number(reporting),
                  total: format.number(units.length),
                })}
              </td>
              <td data-end>{kW(sumW === null ? null : Math.round(sumW / W_PER_STEP))}</td>
              <td />
              {hasCharge && <td data-end>{format.percent(socPercent)}</td>}
              <td />
            </tr>
          </tfoot>
        </table>
      </section>
    </BriefFreshness>
  );
}
