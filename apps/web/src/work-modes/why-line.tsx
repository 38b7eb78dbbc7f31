import type { WorkMode } from '@sonnenwarte/contract/work-modes/work-modes';
import { IconBulb } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { usePeriodText } from './period-text.ts';
import styles from './work-modes.module.css';

/** What the battery does, because of what, and what is next: from what was recorded, or that nothing is known of it. */
export function WhyLine({ view }: { view: WorkMode }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const text = usePeriodText();
  const { now, reported, ianaTimezone } = view;
  if (now === null || reported === null)
    return (
      <p className={styles.why} data-unknown>
        <IconBulb size={20} aria-hidden="true" />
        <span>{t(reported === null ? 'work-modes.planUntold' : 'work-modes.nothingNew')}</span>
      </p>
    );
  const period = now.period === null ? undefined : reported.periods[now.period];
  const next = now.nextPeriod === null ? undefined : reported.periods[now.nextPeriod];
  const grid = now.gridW > 50 ? 'bought' : now.gridW < -50 ? 'fedIn' : 'none';
  return (
    <p className={styles.why}>
      <IconBulb size={20} aria-hidden="true" />
      <span>
        <strong>
          {t(`work-modes.does.${now.does}`, {
            power: format.power(Math.abs(now.batteryW)),
            soc: format.percent(now.socPercent, 0),
          })}
        </strong>{' '}
        {t(`work-modes.why.${now.why}`, {
          period: period === undefined ? '' : `${text.times(period)} ${text.action(period.action)}`,
          mode: t(`work-modes.mode.${reported.mode}`),
          least: format.percent(reported.minSoc, 0),
          reserve: format.percent(reported.backupSoc ?? 100, 0),
          limit: format.power(reported.peakLimitW),
        })}{' '}
        {t(`work-modes.inputs.${grid}`, {
          sun: format.power(now.generationW),
          house: format.power(now.demandW),
          grid: format.power(Math.abs(now.gridW)),
        })}
      </span>
      {now.nextMs !== null && (
        <small>
          {t('work-modes.next', {
            time: format.time(now.nextMs, ianaTimezone),
            what: next === undefined ? t('work-modes.gap') : text.action(next.action),
          })}
        </small>
      )}
    </p>
  );
}
