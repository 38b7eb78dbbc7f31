import { IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import styles from './settings.module.css';
import type { SettingsView } from './use-settings.ts';

/** Somebody else writes to the device right now. */
export function WriterNotice({ writer }: { writer: SettingsView['writer'] }): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="status" className={writer === null || writer.isSelf ? 'visually-hidden' : styles.writer}>
      {writer !== null && !writer.isSelf && (
        <>
          <IconPencil size={18} aria-hidden="true" />
          <p>
            <strong>
              <Who name={writer.name || t('setting-screens.byPortal')} sinceMs={writer.sinceMs} />
            </strong>{' '}
            {t('setting-screens.writerMeans')}
          </p>
        </>
      )}
    </div>
  );
}

function Who({ name, sinceMs }: { name: string; sinceMs: number }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const nowMs = useNow(1_000);
  const age = format.seconds(Math.max(0, Math.round((nowMs - sinceMs) / 1_000)));
  return t('setting-screens.writes', { name, age });
}
