import { accept, drift, restore } from '@sonnenwarte/contract/remote-settings/remote-settings';
import type { SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read, useWrite } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './drift-notice.module.css';
import { useSettingTexts } from './use-setting-text.ts';
import { useSettingsRefresh } from './use-settings.ts';
import { seenOf } from './values.ts';
import { WriteDialog } from './write-dialog.tsx';

export interface DriftNoticeProps {
  deviceID: string;
  deviceSN: string;
  /** Of the plant; else that of whoever looks. */
  timeZone?: string | null;
}

/** Settings that a device has changed by itself, each with what was wanted, what it says, and the two ways on. Nothing where there are none. */
export function DriftNotice({ deviceID, deviceSN, timeZone }: DriftNoticeProps): ReactNode {
  const { t } = useTranslation();
  useSettingsRefresh(deviceID);
  const { data } = useQuery(read(drift, { id: deviceID }, { quiet: true }));
  const [asked, setAsked] = useState<SettingRow>();
  const accepting = useWrite(accept);
  const restoring = useWrite(restore, { inPlace: true });
  const texts = useSettingTexts();
  const zone = timeZone ?? localZone();
  if (!data || data.settings.length === 0) return null;
  return (
    <section className={styles.notice} aria-label={t('setting-screens.driftNotice')}>
      <ul>
        {data.settings.map((row) => (
          <DriftLine key={row.rule.name} row={row} timeZone={zone} deviceID={deviceID}>
            {data.can.write && (
              <>
                <Button
                  small
                  disabled={accepting.isPending}
                  aria-label={`${t('setting-screens.act.accept')}: ${texts.label(row.rule)}`}
                  onClick={() => accepting.mutate({ id: deviceID, values: seenOf(row) })}
                >
                  {t('setting-screens.act.accept')}
                </Button>
                <Button
                  small
                  look="filled"
                  aria-label={`${t('setting-screens.act.restore')}: ${texts.label(row.rule)}`}
                  onClick={() => setAsked(row)}
                >
                  {t('setting-screens.act.restore')}
                </Button>
              </>
            )}
          </DriftLine>
        ))}
      </ul>
      {asked && asked.desired !== null && (
        <WriteDialog
          title={t('setting-screens.write.restore')}
          label={t('setting-screens.act.restore')}
          changes={[{ rule: asked.rule, from: asked.reported, fromMs: asked.reportedMs, to: asked.desired }]}
          typed={{ text: deviceSN, ask: t('setting-screens.write.typeSN') }}
          timeZone={zone}
          onClose={() => setAsked(undefined)}
          onWrite={(confirmation) => restoring.mutateAsync({ id: deviceID, names: [asked.rule.name], confirmation })}
        />
      )}
    </section>
  );
}

interface DriftLineProps {
  row: SettingRow;
  timeZone: string;
  deviceID: string;
  children: ReactNode;
}

function DriftLine({ row, timeZone, deviceID, children }: DriftLineProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = useSettingTexts();
  const { rule, desired, reported, driftedSinceMs } = row;
  return (
    <li>
      <IconArrowsDiff size={18} aria-hidden="true" />
      <p>
        <strong>
          {t('setting-screens.driftedFrom', {
            name: texts.label(rule),
            wanted: texts.value(rule, desired),
            value: texts.value(rule, reported),
          })}
        </strong>{' '}
        {driftedSinceMs !== null && t('setting-screens.sinceTime', { time: format.dateTime(driftedSinceMs, timeZone) })}
      </p>
      <span className={styles.buttons}>
        <ScreenLink to="remote-setting" query={{ id: deviceID, setting: rule.name }}>
          {t('setting-screens.showHistory')}
        </ScreenLink>
        {children}
      </span>
    </li>
  );
}
