import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useRecordID } from '../tabs/tab-context.ts';
import { SettingsOf } from './settings-of.tsx';

/** Settings of the device that the address names. */
export function SettingsScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const id = useRecordID('deviceID');
  if (id !== undefined) return <SettingsOf key={id} subjectID={id} />;
  return (
    <TitledScreen>
      <EmptyState
        text={t('setting-screens.chooseDevice')}
        action={<ScreenLink to="device-inverter">{label('device-inverter')}</ScreenLink>}
      />
    </TitledScreen>
  );
}
