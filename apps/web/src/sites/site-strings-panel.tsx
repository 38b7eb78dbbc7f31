import type { SiteConditions } from '@sonnenwarte/contract/sites/site-conditions';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Freshness, useIsLate } from '../blocks/show/freshness.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useFormat } from '../format/use-format.ts';
import { StringsTable } from '../strings/strings-table.tsx';
import styles from './site-strings-panel.module.css';

type Inverter = SiteConditions['inverters'][number];

/** Of more inverters, only those with a weak string stand open. */
const MOST_OPEN = 2;

/** The strings of each inverter of a plant side by side. */
export function SiteStringsPanel({ inverters }: { inverters: readonly Inverter[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <Panel title={t('devices.strings.panel')}>
      <div className={styles.inverters}>
        {inverters.map((inverter) => (
          <InverterStrings
            key={inverter.deviceID}
            inverter={inverter}
            open={inverters.length <= MOST_OPEN || inverter.strings.some(({ weak }) => weak)}
          />
        ))}
      </div>
    </Panel>
  );
}

function InverterStrings({ inverter, open }: { inverter: Inverter; open: boolean }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { deviceID, deviceSN, strings, updatedAtMs, intervalS, offline } = inverter;
  const late = useIsLate(updatedAtMs, intervalS) || offline;
  const table = <StringsTable rows={strings} late={late} name={deviceSN} />;
  return (
    <div className={styles.inverter}>
      <div className={styles.head}>
        <ScreenLink to="device-inverter-detail" query={{ id: deviceID }}>
          {deviceSN}
        </ScreenLink>
        <Freshness asOfMs={updatedAtMs} intervalS={intervalS} offline={offline} />
      </div>
      {open ? (
        table
      ) : (
        <details>
          <summary>{`${t('devices.strings.title')} (${format.number(strings.length)})`}</summary>
          {table}
        </details>
      )}
    </div>
  );
}
