import type { DataloggerCredential, Imported } from '@sonnenwarte/contract/dataloggers/managing';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ShownOnce } from '../blocks/overlay/shown-once.tsx';
import { Button } from '../blocks/show/button.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';
import { saveFile } from '../client/download.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './dataloggers.module.css';

const SHOWN = 3;

const fileOf = (credentials: readonly DataloggerCredential[]): string =>
  ['sn,key,password', ...credentials.map(({ sn, key, password }) => `${sn},${key},${password}`), ''].join('\r\n');

/** Passwords and keys of imported dataloggers, as a file and the first of them to copy, this once. */
export function CredentialsShown({ imported, onClose }: { imported: Imported; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [isSaved, setSaved] = useState(false);
  const { credentials, skipped } = imported;
  return (
    <ShownOnce title={t('dataloggers.imported.title')} closeLabel={t('dataloggers.password.close')} onClose={onClose}>
      <div className={styles.stack}>
        <p role="status">
          {t('dataloggers.imported.count', { number: format.number(imported.imported) })}
          {skipped > 0 && ` ${t('dataloggers.imported.skipped', { number: format.number(skipped) })}`}
        </p>
        <p>{t('dataloggers.imported.lead')}</p>
        <Button
          look={isSaved ? 'default' : 'filled'}
          wide
          onClick={() => {
            saveFile(new Blob([fileOf(credentials)], { type: 'text/csv;charset=utf-8' }), 'dataloggers.csv');
            setSaved(true);
          }}
        >
          <IconDownload size={18} aria-hidden="true" /> {t('dataloggers.imported.download')}
        </Button>
        {isSaved && <p role="status">{t('dataloggers.imported.saved')}</p>}
        {credentials.slice(0, SHOWN).map(({ sn, password }) => (
          <CopyField key={sn} label={sn} value={password} />
        ))}
        {credentials.length > SHOWN && (
          <p className={styles.note}>
            {t('dataloggers.imported.more', { number: format.number(credentials.length - SHOWN) })}
          </p>
        )}
      </div>
    </ShownOnce>
  );
}
