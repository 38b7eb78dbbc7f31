import { type OrganisationRow, renewSignUpCode } from '@sonnenwarte/contract/organisations/organisations';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { CopyField } from '../blocks/copy-field.tsx';
import { Dialog } from '../blocks/dialog.tsx';
import { useWrite } from '../client/queries.ts';
import styles from './organisations.module.css';

/** The code by which those who sign up are bound to an organisation. */
export function SignUpCode({ row, onClose }: { row: OrganisationRow; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const renew = useWrite(renewSignUpCode, { inPlace: true });
  const [code, setCode] = useState(row.signUpCode);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Dialog opened={!asking} onClose={onClose} title={t('organisations.code.title', { name: row.name })}>
        <div className={styles.stack}>
          <p className={styles.text}>{t('organisations.code.meaning')}</p>
          <CopyField label={t('organisations.field.signUpCode')} value={code} />
          {row.can.edit && (
            <div>
              <Button onClick={() => setAsking(true)}>{t('organisations.code.renew')}</Button>
            </div>
          )}
        </div>
      </Dialog>
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('organisations.code.title', { name: row.name })}
        confirmLabel={t('organisations.code.renew')}
        onConfirm={async () => setCode((await renew.mutateAsync({ id: row.id })).signUpCode)}
      >
        <p>{t('organisations.code.renewMeaning')}</p>
      </ConfirmAction>
    </>
  );
}
