import type { ClaimDecision, DeviceClaim, decide } from '@sonnenwarte/contract/device-claims/device-claims';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { useWrite } from '../client/queries.ts';
import { showNotice } from '../notices/notices.ts';
import { sidesOf } from './claim-words.ts';

interface ClaimQuestionProps extends ActionProps<DeviceClaim, typeof decide> {
  decision: ClaimDecision;
}

/** Says what a decision will mean for both plants, and decides. */
export function ClaimQuestion({ row: claim, of, decision, onClose, onDone }: ClaimQuestionProps): ReactNode {
  const { t } = useTranslation();
  const sides = sidesOf(t, claim);
  const write = useWrite(of, { inPlace: true });
  return (
    <ConfirmAction
      opened
      onClose={onClose}
      title={t(`device-claims.decision.${decision}.question`, sides)}
      confirmLabel={t(`device-claims.decision.${decision}.confirm`)}
      danger={decision === 'release'}
      onConfirm={async () => {
        await write.mutateAsync({ id: claim.id, decision });
        onDone();
        showNotice({
          id: `claim ${claim.id} ${decision}`,
          text: t(`device-claims.decision.${decision}.done`, sides),
          color: 'brand',
        });
      }}
    >
      <p>{t(`device-claims.decision.${decision}.meaning`, sides)}</p>
    </ConfirmAction>
  );
}
