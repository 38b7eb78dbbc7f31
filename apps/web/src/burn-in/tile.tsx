import { isUnitOver } from '@sonnenwarte/contract/burn-in/moves';
import type { BoardUnit, RunRow } from '@sonnenwarte/contract/burn-in/rows';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { joinQuantity } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './burn-in.module.css';
import { UnitState } from './marks.tsx';

/** A position of the rack. */
export function Tile({ unit, run }: { unit: BoardUnit; run: RunRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, reason, powerW, askedW, temperatureC, alarms, endedMs } = unit;
  const isOver = isUnitOver(state);
  return (
    <li className={styles.tile} data-state={state}>
      <ScreenLink to="aging-inverter-detail" query={{ run: run.runID, sn: unit.sn }} className={styles.sn}>
        <span className={styles.position}>{format.number(unit.position)}</span>
        <span translate="no">{unit.sn}</span>
      </ScreenLink>
      <UnitState state={state} />
      {isOver ? (
        <span className={styles.small}>
          {reason === null
            ? format.localTime(endedMs)
            : t('burn-in.board.failedFor', {
                reason: t(`burn-in.reason.${reason}`),
                time: format.localTime(endedMs),
              })}
        </span>
      ) : unit.valuesMs === null ? (
        <span className={styles.small}>{t('burn-in.board.noValues')}</span>
      ) : (
        <>
          <span className={styles.power}>
            <b>{format.power(powerW)}</b>
            {askedW !== null && <small>{t('burn-in.board.of', { power: format.power(askedW) })}</small>}
          </span>
          <span className={styles.small}>
            {temperatureC === null ? '–' : joinQuantity(format.point(temperatureC, 'degC'))}
          </span>
        </>
      )}
      {unit.stillPercent !== null && (
        <span className={styles.bad}>{t('burn-in.board.still', { percent: format.percent(unit.stillPercent) })}</span>
      )}
      {alarms > 0 && !isOver && (
        <span className={styles.alarms}>
          <IconAlertTriangle size={14} aria-hidden="true" />
          {t('burn-in.board.alarms', { number: format.number(alarms) })}
        </span>
      )}
    </li>
  );
}

/** A position on which there is nothing. */
export function EmptyTile({ position }: { position: number }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li className={`${styles.tile} ${styles.empty}`}>
      {t('burn-in.board.emptyPosition', { position: format.number(position) })}
    </li>
  );
}
