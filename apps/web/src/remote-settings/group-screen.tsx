import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useRecordID, useTab } from '../tabs/tab-context.ts';
import styles from './group.module.css';
import { DeviceStep } from './group-devices.tsx';
import { type GroupDraft, useGroupDraft, wholeValues } from './group-draft.ts';
import { GroupList } from './group-list.tsx';
import { PreviewStep } from './group-preview.tsx';
import { GroupResult } from './group-result.tsx';
import { ValueStep } from './group-values.tsx';

const steps = ['devices', 'values', 'preview', 'result'] as const;
export type GroupStep = (typeof steps)[number];

/** Writes to many devices: those that were made, one with its result, or the steps of a new one, each at its own address. */
export function GroupScreen(): ReactNode {
  const { query } = useTab();
  const id = useRecordID('deviceID');
  const draft = useGroupDraft();
  if (id !== undefined) return <GroupResult key={id} groupID={id} />;
  const asked = steps.find((step) => step === query.step);
  if (asked === undefined || asked === 'result') return <GroupList />;
  const step = reachable(asked, draft);
  if (step === 'devices') return <DeviceStep draft={draft} />;
  return step === 'values' ? <ValueStep draft={draft} /> : <PreviewStep draft={draft} />;
}

/** A step for which something is missing leads to the one where that is chosen. */
function reachable(step: GroupStep, draft: GroupDraft): GroupStep {
  if (step === 'devices' || draft.deviceIDs.length === 0) return 'devices';
  return step === 'preview' && wholeValues(draft).length === 0 ? 'values' : step;
}

interface GroupFrameProps {
  step: GroupStep;
  subtitle?: ReactNode;
  children: ReactNode;
}

/** The frame of a step, with the way that leads through all four. */
export function GroupFrame({ step, subtitle, children }: GroupFrameProps): ReactNode {
  const { t } = useTranslation();
  const at = steps.indexOf(step);
  return (
    <DetailScreen
      title={t('setting-screens.many.title')}
      subtitle={subtitle}
      aside={
        <ol className={styles.way} aria-label={t('setting-screens.many.way')}>
          {steps.map((each, place) => (
            <li
              key={each}
              data-state={place < at ? 'done' : place === at ? 'now' : 'todo'}
              aria-current={place === at ? 'step' : undefined}
            >
              <b aria-hidden="true">{place < at ? <IconCheck size={14} /> : place + 1}</b>
              {place < at && step !== 'result' ? (
                <ScreenLink to="group-remote" query={{ step: each }}>
                  {t(`setting-screens.many.step.${each}`)}
                </ScreenLink>
              ) : (
                <span>{t(`setting-screens.many.step.${each}`)}</span>
              )}
            </li>
          ))}
        </ol>
      }
    >
      {children}
    </DetailScreen>
  );
}
