import type { SiteConditions } from '@sonnenwarte/contract/sites/site-conditions';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Freshness, useIsLate } from '../blocks/show/freshness.tsx';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './site-trouble-panel.module.css';

const labelOf = {
  'Env/Irradiance': 'points.envIrradiance',
  'Env/ModuleTemp': 'points.envModuleTemp',
  'Env/AmbientTemp': 'points.envAmbientTemp',
  'Env/WindSpeed': 'points.envWindSpeed',
} as const;
const isNamed = (variable: string): variable is keyof typeof labelOf => variable in labelOf;

/** What stands around the figures of a plant, as far as there is any. */
export function ConditionsPanels({ conditions }: { conditions: SiteConditions }): ReactNode {
  return (
    <>
      {conditions.weakStrings.length > 0 && <WeakStrings strings={conditions.weakStrings} />}
      {conditions.stations.map((station) => (
        <Environment key={station.deviceID} station={station} named={conditions.stations.length > 1} />
      ))}
    </>
  );
}

function WeakStrings({ strings }: { strings: SiteConditions['weakStrings'] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Panel title={t('devices.strings.behind')}>
      <ul className={styles.trouble}>
        {strings.map(({ deviceID, deviceSN, kind, n, percent }) => (
          <li key={`${deviceID} ${n}`}>
            <ScreenLink to="device-inverter-detail" query={{ id: deviceID }}>
              {`${deviceSN} · ${t(`devices.strings.${kind}`, { n })}`}
            </ScreenLink>{' '}
            {t('devices.strings.weakNote', { percent: format.percent(percent) })}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface EnvironmentProps {
  station: SiteConditions['stations'][number];
  /** One of several. */
  named: boolean;
}

function Environment({ station, named }: EnvironmentProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { values, deviceSN, updatedAtMs, intervalS, offline } = station;
  const late = useIsLate(updatedAtMs, intervalS) || offline;
  const title = t('devices.section.environment');
  return (
    <Panel
      title={named ? `${title} · ${deviceSN}` : title}
      actions={<Freshness asOfMs={updatedAtMs} intervalS={intervalS} offline={offline} />}
    >
      <KeyFigures>
        {values.map(({ variable, value, unit }) =>
          isNamed(variable) ? (
            <KeyFigure key={variable} label={t(labelOf[variable])} {...format.point(value, unit)} late={late} />
          ) : null,
        )}
      </KeyFigures>
    </Panel>
  );
}
