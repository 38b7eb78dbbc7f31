import {
  type ClaimDecision,
  claimDecisions,
  type DeviceClaim,
  decide,
} from '@sonnenwarte/contract/device-claims/device-claims';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { Can } from '../blocks/can.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { useWrite } from '../client/queries.ts';
import styles from './device-claims.module.css';

/** What each side is told: who has the number, who claims it, both to whoever sees both. */
function useClaimText(): (claim: DeviceClaim) => string {
  const { t } = useTranslation();
  return ({ state, holder, claimant, can }) => {
    if (can.release && claimant.stationID !== null) {
      return t('device-claims.both', { own: holder.moduleSN, other: claimant.moduleSN });
    }
    if (can.release) return t('device-claims.holder', { other: claimant.moduleSN });
    return t(state === 'kept' ? 'device-claims.kept' : 'device-claims.claimant', { own: claimant.moduleSN });
  };
}

export function ClaimList({ claims }: { claims: readonly DeviceClaim[] }): ReactNode {
  const { t } = useTranslation();
  const textOf = useClaimText();
  return claims.map((claim) => (
    <section key={claim.id} className={styles.claim} aria-labelledby={`claim-${claim.id}`}>
      <h3 id={`claim-${claim.id}`}>{t('device-claims.title', { sn: claim.deviceSN })}</h3>
      <p>{textOf(claim)}</p>
      {claim.can.release && (
        <Can code="site:edit">
          <ClaimDecisions claim={claim} />
        </Can>
      )}
    </section>
  ));
}

function ClaimDecisions({ claim }: { claim: DeviceClaim }): ReactNode {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<ClaimDecision>();
  const write = useWrite(decide, { inPlace: true, alsoChanges: ['sites', 'inverters', 'fleet'] });
  return (
    <div className={styles.decisions}>
      {claimDecisions
        .filter((decision) => claim.can[decision])
        .map((decision) => (
          <Button key={decision} small onClick={() => setAsked(decision)}>
            {t(`device-claims.decision.${decision}.label`)}
          </Button>
        ))}
      {asked !== undefined && (
        <ConfirmAction
          opened
          onClose={() => setAsked(undefined)}
          title={t('device-claims.title', { sn: claim.deviceSN })}
          confirmLabel={t(`device-claims.decision.${asked}.label`)}
          danger={asked === 'release'}
          onConfirm={() => write.mutateAsync({ id: claim.id, decision: asked })}
        >
          <p>{t(`device-claims.decision.${asked}.meaning`)}</p>
        </ConfirmAction>
      )}
    </div>
  );
}
