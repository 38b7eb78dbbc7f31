import { type DeletionRow, obstacles, type undo } from '@sonnenwarte/contract/deletions/deletions';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { ApiError } from '../client/failures.ts';
import { useWrite } from '../client/queries.ts';

/** Undoes a deletion as a whole; where something is in the way, says what. */
export function UndoDeletion({ row, of, onClose, words }: ActionProps<DeletionRow, typeof undo>): ReactNode {
  const { t } = useTranslation();
  const write = useWrite(of, {
    inPlace: true,
  });
  const refused = write.error instanceof ApiError ? z.safeParse(obstacles, write.error.result).data : undefined;
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={t('deletions.undo.title', { name: row.name })}
      confirmLabel={words.label}
      onConfirm={() => write.mutateAsync({ id: row.id })}
    >
      <p>{t('deletions.undo.meaning')}</p>
      {refused !== undefined && (
        <>
          <p>{t('deletions.undo.obstacles')}</p>
          <ul>
            {refused.obstacles.map(({ kind, id, name }) => (
              <li key={id}>{t(`deletions.undo.obstacle.${kind}`, { name })}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmAction>
  );
}
