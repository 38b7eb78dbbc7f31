import type { SiteAlarm } from '@sonnenwarte/contract/sites/site-alarms';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScreenLink } from '../blocks/show/screen-link.tsx';

/** The device of an alarm; inverters have a screen. */
export function AlarmDevice({ alarm }: { alarm: SiteAlarm }): ReactNode {
  const { t } = useTranslation();
  const name = `${t(`sites.kind.${alarm.kind}`)} ${alarm.deviceSN}`;
  if (alarm.kind !== 'inverter') return name;
  return (
    <ScreenLink to="device-inverter-detail" query={{ id: alarm.deviceID }}>
      {name}
    </ScreenLink>
  );
}
