import { IconAlertTriangle } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import styles from './ems.module.css';
import type { GridLimit } from './grid-actions.tsx';

/** Values that are older say nothing of now. */
const LATE_MS = 75_000;
/** Meters and steps of limits are no better than this share. */
const WITHIN = 1.03;

/** What is sold now, what may be, and who sees to it. */
export function GridLimitPanel({ grid }: { grid: GridLimit }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(10_000);
  const { controller, device, exportLimitW, gridW, gridMs, last, obstacle } = grid;
  const isLate = gridMs === null || now - gridMs > LATE_MS;
  const soldW = gridW === null ? null : Math.max(0, -gridW);
  const limitW = controller === 'device' ? (device?.exportLimitW ?? exportLimitW) : exportLimitW;
  const isOver = !isLate && soldW !== null && limitW !== null && soldW > limitW * WITHIN + 50;
  const sold = format.powerQuantity(soldW);
  const limit = format.powerQuantity(limitW);
  return (
    <Panel title={t('ems.title')}>
      <p className={styles.holder} data-over={isOver || undefined} role="status">
        {isOver && <IconAlertTriangle size={18} aria-hidden="true" />}
        <span>
          {holderText()}
          {controller === 'device' && device !== null && (
            <>
              {' '}
              <ScreenLink to="device-ems-detail" query={{ id: device.deviceID }}>
                {device.deviceSN}
              </ScreenLink>
            </>
          )}
          {reasonText() !== undefined && <small className={styles.note}>{reasonText()}</small>}
        </span>
      </p>
      <KeyFigures>
        <KeyFigure label={t('ems.sold')} value={sold.value} unit={sold.unit} tone="grid" late={isLate} />
        <KeyFigure
          label={t('ems.limit')}
          value={limitW === null ? NOT_MEASURED : limit.value}
          unit={limitW === null ? '' : limit.unit}
          tone="grid"
          note={limitW === null ? t('ems.noLimit') : undefined}
        />
        {device?.peakLimitW !== undefined && device.peakLimitW !== null && (
          <KeyFigure
            label={t('ems.peak')}
            value={format.powerQuantity(device.peakLimitW).value}
            unit={format.powerQuantity(device.peakLimitW).unit}
            tone="grid"
            note={t('ems.peakBy', { device: device.deviceSN })}
          />
        )}
      </KeyFigures>
      {limitW !== null && limitW > 0 && soldW !== null && (
        <div
          className={styles.gauge}
          data-over={isOver || undefined}
          data-late={isLate || undefined}
          aria-hidden="true"
        >
          <i style={{ '--share': `${Math.min(100, (100 * soldW) / (limitW * 1.2))}%` } as CSSProperties} />
        </div>
      )}
    </Panel>
  );

  function holderText(): string {
    if (isOver) return t('ems.over', { sold: format.power(soldW), limit: format.power(limitW) });
    if (controller === 'portal') return t('ems.held.portal');
    if (controller === 'device') return t('ems.held.device');
    return obstacle !== null && device === null ? t(`ems.obstacle.${obstacle}`) : t('ems.held.nobody');
  }

  function reasonText(): string | undefined {
    if (controller !== 'portal') return undefined;
    if (isLate) return t('ems.reason.blind');
    if (last === null) return t('ems.reason.held');
    return t('ems.lastStep', {
      reason: t(`ems.reason.${last.reason}`),
      time: format.dateTime(last.atMs, grid.ianaTimezone),
    });
  }
}
