import {
  type MigrationRow,
  migrationObstacles,
  type undo,
} from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { ApiError } from '../client/failures.ts';
import { useWrite } from '../client/queries.ts';
import { showNotice } from '../notices/notices.ts';
import styles from './migrations.module.css';

/** Undoes a transfer as a whole; where plants changed since, says which, and in what. */
export function UndoTransfer({ row, of, onClose, words }: ActionProps<MigrationRow, typeof undo>): ReactNode {
  const { t, i18n } = useTranslation();
  const write = useWrite(of, {
    inPlace: true,
  });
  const refused =
    write.error instanceof ApiError ? z.safeParse(migrationObstacles, write.error.result).data : undefined;
  const fieldText = (field: string): string => {
    const keys = [`migrations-of-accounts.undo.column.${field}`, `sites.field.${field}`];
    const key = keys.find((each) => i18n.exists(each));
    return key === undefined ? field : t(key as 'sites.field.name');
  };
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={t('migrations-of-accounts.undo.title', { source: row.source, target: row.target })}
      confirmLabel={words.label}
      onConfirm={async () => {
        await write.mutateAsync({ migrationID: row.migrationID });
        showNotice({ id: `undo ${row.migrationID}`, text: t('migrations-of-accounts.undo.done'), color: 'brand' });
      }}
    >
      <p>{t('migrations-of-accounts.undo.meaning')}</p>
      {refused !== undefined && (
        <>
          <p>{t('migrations-of-accounts.undo.obstacles')}</p>
          <ul className={styles.obstacles}>
            {refused.obstacles.map(({ id, name, fields }) => (
              <li key={id}>
                {name}
                {fields.length > 0 && `: ${fields.map(fieldText).join(', ')}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmAction>
  );
}
