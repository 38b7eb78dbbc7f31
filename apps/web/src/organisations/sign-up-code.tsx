import type { detail, OrganisationRow } from '@sonnenwarte/contract/organisations/organisations';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { CopyField } from '../blocks/show/copy-field.tsx';
import { read } from '../client/queries.ts';
import { codeActions } from './organisation-actions.tsx';
import styles from './organisations.module.css';

/** The code by which those who sign up are bound to an organisation. */
export function SignUpCode({ row, of, onClose }: ActionProps<OrganisationRow, typeof detail>): ReactNode {
  const { t } = useTranslation();
  const { signUpCode } = useQuery(read(of, { id: row.id })).data ?? row;
  return (
    <Dialog opened onClose={onClose} title={t('organisations.code.title', { name: row.name })}>
      <div className={styles.stack}>
        <p className={styles.text}>{t('organisations.code.meaning')}</p>
        <CopyField label={t('organisations.field.signUpCode')} value={signUpCode} />
        <div>
          <ActionButtons table={codeActions} row={row} />
        </div>
      </div>
    </Dialog>
  );
}
