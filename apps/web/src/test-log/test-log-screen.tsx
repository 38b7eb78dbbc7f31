import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { BatteryLog } from './battery-log.tsx';
import { MessageLog } from './message-log.tsx';

type View = 'messages' | 'battery';

/** Test log and battery log: messages of dataloggers as they are, and what the management of a battery told. */
export function TestLogScreen(): ReactNode {
  const { t } = useTranslation();
  const [view, setView] = useState<View>('messages');
  const choice = (
    <Segmented
      label={t('test-log.view.label')}
      value={view}
      options={(['messages', 'battery'] as const).map((value) => ({ value, label: t(`test-log.view.${value}`) }))}
      onChange={setView}
    />
  );
  return view === 'messages' ? <MessageLog choice={choice} /> : <BatteryLog choice={choice} />;
}
