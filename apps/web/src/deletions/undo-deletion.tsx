import { type DeletionRow, obstacles, type undo } from '@sonnenwarte/contract/deletions/deletions';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { ApiError } from '../client/failures.ts';
import { useWrite } from '../client/queries.ts';
import { showNotice } from '../notices/notices.ts';
import { useTakenText } from '../site-deletions/taken-text.ts';

/** Undoes a deletion as a whole; where something is in the way, says what. */
export function UndoDeletion({ row, of, onClose, words }: ActionProps<DeletionRow, typeof undo>): ReactNode {
  const { t } = useTranslation();
  const takenText = useTakenText();
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
      onConfirm={async () => {
        const { takenDataloggers } = await write.mutateAsync({ id: row.id });
        const text = takenText(takenDataloggers);
        if (text !== '') showNotice({ id: `undone ${row.id}`, text, color: 'yellow' });
      }}
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
