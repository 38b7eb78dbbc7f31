import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import styles from './ems.module.css';
import type { GridLimit } from './grid-actions.tsx';
import { LimitSide } from './limit-side.tsx';
import { useSpeedText } from './speed-text.ts';

/** Values that are older say nothing of now. */
const LATE_MS = 75_000;
/** Meters and steps of limits are no better than this share. */
const WITHIN = 1.03;

/** What is sold and bought now, what may be, and who sees to it. */
export function GridLimitPanel({ grid }: { grid: GridLimit }): ReactNode {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const isLate = grid.gridMs === null || now - grid.gridMs > LATE_MS;
  return (
    <Panel title={t('ems.title')}>
      <div className={styles.sides}>
        <SoldSide grid={grid} isLate={isLate} />
        <BoughtSide grid={grid} isLate={isLate} />
      </div>
    </Panel>
  );
}

interface SideProps {
  grid: GridLimit;
  isLate: boolean;
}

function SoldSide({ grid, isLate }: SideProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const stepOf = useStepText(grid.ianaTimezone);
  const speedOf = useSpeedText();
  const { controller, device, exportLimitW, gridW, last, obstacle } = grid;
  const soldW = gridW === null ? null : Math.max(0, -gridW);
  const isOwn = controller === null && device !== null && device.exportLimitW !== null;
  const limitW = isOwn || controller === 'device' ? (device?.exportLimitW ?? exportLimitW) : exportLimitW;
  const isOver = !isLate && soldW !== null && limitW !== null && soldW > limitW * WITHIN + 50;
  const holder = (): string => {
    if (isOver) return t('ems.over', { sold: format.power(soldW), limit: format.power(limitW) });
    if (controller !== null) return t(`ems.held.${controller}`);
    if (isOwn) return t('ems.held.itself', { device: device.deviceSN });
    return obstacle !== null && device === null ? t(`ems.obstacle.${obstacle}`) : t('ems.held.nobody');
  };
  const note = (): ReactNode => {
    if (isOwn) return grid.can.edit ? t('ems.takeOver', { action: t('ems.action.setGridLimit') }) : undefined;
    if (controller !== 'portal') return undefined;
    const step = last === null ? t('ems.reason.held') : stepOf(last);
    return (
      <>
        {isLate ? t('ems.reason.blind') : step}
        <br />
        {speedOf(grid)}
      </>
    );
  };
  const limitNote = (): string | undefined => {
    if (limitW === null) return t('ems.noLimit');
    return isOwn ? t('ems.setAt', { device: device.deviceSN }) : undefined;
  };
  return (
    <LimitSide
      title={t('ems.side.sold')}
      now={{ label: t('ems.sold'), powerW: soldW }}
      limitW={limitW}
      limitNote={limitNote()}
      holder={
        <>
          {holder()}
          {controller === 'device' && <HoldingDevice grid={grid} />}
        </>
      }
      note={note()}
      isOver={isOver}
      isLate={isLate}
    />
  );
}

function BoughtSide({ grid, isLate }: SideProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const stepOf = useStepText(grid.ianaTimezone);
  const { device, gridW, purchase, units } = grid;
  const { controller, limitW, shortfall, obstacles, last } = purchase;
  const boughtW = gridW === null ? null : Math.max(0, gridW);
  const toldW = device?.peakLimitW ?? null;
  const holder = (): string => {
    if (shortfall !== null)
      return t(`ems.purchase.shortfall.${shortfall.why}`, { power: format.power(shortfall.missingW) });
    if (controller === 'portal') return t('ems.purchase.held.portal');
    if (controller === 'device') return t('ems.held.device');
    const { device: ofDevice, portal } = obstacles;
    return ofDevice !== null && portal !== null ? t(`ems.purchase.obstacle.${portal}`) : t('ems.purchase.held.nobody');
  };
  const note = (): string | undefined => {
    if (controller === 'device' && toldW !== null && toldW !== limitW)
      return t('ems.purchase.toldOtherwise', { power: format.power(toldW) });
    if (controller !== 'portal') return undefined;
    if (isLate) return t('ems.purchase.blind');
    if (shortfall === null && !units.some(({ battery }) => battery?.part === 'holds')) return t('ems.purchase.unready');
    return last === null ? t('ems.purchase.resting') : stepOf(last);
  };
  const limitNote = (): string | undefined => {
    if (limitW !== null) return undefined;
    return device === null || toldW === null
      ? t('ems.noLimit')
      : t('ems.purchase.setAt', { device: device.deviceSN, power: format.power(toldW) });
  };
  return (
    <LimitSide
      title={t('ems.side.bought')}
      now={{ label: t('ems.bought'), powerW: boughtW }}
      limitW={limitW}
      limitNote={limitNote()}
      holder={
        <>
          {holder()}
          {controller === 'device' && shortfall === null && <HoldingDevice grid={grid} />}
        </>
      }
      note={note()}
      isOver={!isLate && shortfall !== null}
      isLate={isLate}
    />
  );
}

function HoldingDevice({ grid: { device } }: { grid: GridLimit }): ReactNode {
  if (device === null) return null;
  return (
    <>
      {' '}
      <ScreenLink to="device-ems-detail" query={{ id: device.deviceID }}>
        {device.deviceSN}
      </ScreenLink>
    </>
  );
}

/** What the portal did last, and when by the clock of the plant. */
function useStepText(zone: string): (step: NonNullable<GridLimit['last']>) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ reason, atMs }) =>
    t('ems.lastStep', { reason: t(`ems.reason.${reason}`), time: format.plantTime(atMs, zone) });
}
