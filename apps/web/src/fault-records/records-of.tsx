import { list } from '@sonnenwarte/contract/fault-records/fault-records';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { StateCell } from './record-cells.tsx';
import styles from './records.module.css';

export interface RecordsOfProps {
  deviceID: string;
  /** Of the alarm, and when it stood. */
  code: number;
  sinceMs: number;
  untilMs: number | null;
}

/** An inverter and the portal see the beginning of a fault some minutes apart. */
const APART_MS = 15 * 60_000;

/** What the inverter has recorded around an alarm; without any nothing. */
export function RecordsOf({ deviceID, code, sinceMs, untilMs }: RecordsOfProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const mayOpen = useGlobalState(({ menuCode }) => menuCode?.includes('fault-record') ?? false);
  const condition = {
    deviceID,
    code,
    fromMs: sinceMs - APART_MS,
    ...(untilMs !== null && { toMs: untilMs + APART_MS }),
  };
  const { data } = useQuery({ ...read(list, { condition }, { quiet: true }), enabled: mayOpen });
  if (!data || data.records.length === 0) return null;
  return (
    <Panel title={t('fault-records.record.of')}>
      <ul className={styles.of}>
        {data.records.map((record) => (
          <li key={record.recordID}>
            <ScreenLink to="fault-record" query={{ 'condition.deviceID': deviceID, record: record.recordID }}>
              {format.exactTime(record.occurredMs, record.ianaTimezone)}
            </ScreenLink>
            <StateCell row={record} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
