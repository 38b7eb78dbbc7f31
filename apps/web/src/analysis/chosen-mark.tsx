import type { AnalysisMark, PlottedDevice } from '@sonnenwarte/contract/analysis/analysis';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import styles from './analysis.module.css';
import { useChangeText, useMarkName } from './mark-words.ts';
import { MarkShape } from './marks-track.tsx';

interface ChosenMarkProps {
  mark: AnalysisMark | undefined;
  devices: readonly PlottedDevice[];
  time: (tsMs: number) => string;
}

/** What a mark tells, once it is chosen, and the way to its device. */
export function ChosenMark({ mark, devices, time }: ChosenMarkProps): ReactNode {
  const { t } = useTranslation();
  const nameOf = useMarkName();
  const changeText = useChangeText();
  const device = devices.find(({ deviceID }) => deviceID === mark?.deviceID);
  return (
    <div role="status" className={styles.chosen} data-shown={mark !== undefined || undefined}>
      {mark && (
        <>
          <MarkShape kind={mark.kind} />
          <b>{nameOf(mark)}</b>
          <span>{mark.deviceSN}</span>
          {mark.kind === 'alarm' ? (
            <span>
              {mark.untilMs === null
                ? t('analysis.stands', { from: time(mark.atMs) })
                : t('analysis.stood', { from: time(mark.atMs), to: time(mark.untilMs) })}
            </span>
          ) : (
            <>
              <span>{changeText(mark)}</span>
              <span>
                {mark.source === 'device'
                  ? t('analysis.changedItself', { at: time(mark.atMs) })
                  : t('analysis.changedBy', {
                      at: time(mark.atMs),
                      who: mark.by === '' ? t('analysis.portal') : mark.by,
                    })}
              </span>
            </>
          )}
          {device?.kind === 'inverter' && (
            <ScreenLink to="device-inverter-detail" query={{ id: mark.deviceID }}>
              {t('analysis.openDevice')}
            </ScreenLink>
          )}
        </>
      )}
    </div>
  );
}
