import { real } from '@sonnenwarte/contract/devices/devices';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { read } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import type { SettingsView } from './use-settings.ts';

interface SubjectStateProps {
  subject: SettingsView['subject'];
}

/** How the device stands; where something is wrong, what. */
export function SubjectState({ subject: { subjectID, kind, state } }: SubjectStateProps): ReactNode {
  const alarmText = useAlarmText();
  const isWrong = kind !== 'logger' && (state === 'alarm' || state === 'fault');
  const { data } = useQuery({ ...read(real, { deviceID: subjectID }, { quiet: true }), enabled: isWrong });
  const worst = data?.device.alarm;
  return <StatusTag state={state} word={isWrong && worst ? alarmText(worst.code).name : undefined} />;
}
