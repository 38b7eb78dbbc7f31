import type { Consequences as Counts } from '@sonnenwarte/contract/organisations/organisations';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { ReadFirst } from '../blocks/overlay/read-first.tsx';
import { Consequences, Hindrances } from './consequences.tsx';

/** What a preview is read with: counted anew for each question, and never again for what the write has deleted. */
export const countedOnce = { staleTime: 'static', gcTime: 0 } as const;

interface DeletionDialogProps {
  title: string;
  confirmLabel: string;
  onClose: () => void;
  preview: UseQueryResult<Counts>;
  /** What of the counts stands in the way; nothing where it can be deleted. */
  hindering: (counts: Counts) => Counts | undefined;
  /** What has to be typed first, where the deletion reaches far. */
  typed: (counts: Counts) => string | undefined;
  /** The account leads an organisation, which goes with it. */
  leads?: boolean;
  /** Deletes, given the counts that were shown. */
  onConfirm: (expected: Pick<Counts, 'sites' | 'endUsers' | 'movedSites'>) => Promise<unknown>;
}

/** Counts first what a deletion takes with it, then asks; where the counts changed meanwhile, it counts and asks again. */
export function DeletionDialog(props: DeletionDialogProps): ReactNode {
  const { title, onClose, preview } = props;
  const { t } = useTranslation();
  return (
    <ReadFirst query={preview} title={title} onClose={onClose} waiting={<p>{t('organisations.delete.counting')}</p>}>
      {(counts) => <Question {...props} counts={counts} />}
    </ReadFirst>
  );
}

function Question(props: DeletionDialogProps & { counts: Counts }): ReactNode {
  const { title, confirmLabel, onClose, preview, hindering, typed, leads = false, onConfirm, counts: data } = props;
  const inTheWay = hindering(data);
  if (inTheWay)
    return (
      <Dialog opened onClose={onClose} title={title}>
        <Hindrances counts={inTheWay} />
      </Dialog>
    );
  const word = typed(data);
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={title}
      confirmLabel={confirmLabel}
      danger
      {...(word !== undefined && { typed: word })}
      onConfirm={() => {
        const { sites, endUsers, movedSites } = data;
        return onConfirm({ sites, endUsers, movedSites }).catch((error: unknown) => {
          void preview.refetch();
          throw error;
        });
      }}
    >
      <Consequences counts={data} leads={leads} />
    </ConfirmAction>
  );
}
