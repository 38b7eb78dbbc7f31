import {
  type ClaimDecision,
  claimDecisions,
  type DeviceClaim,
  decide,
} from '@sonnenwarte/contract/device-claims/device-claims';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { Can } from '../blocks/can.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { useWrite } from '../client/queries.ts';
import { showNotice } from '../notices/notices.ts';
import { useTab } from '../shell/tab-context.ts';
import { sidesOf, textOf, titleOf } from './claim-words.ts';
import styles from './device-claims.module.css';

export function ClaimList({ claims }: { claims: readonly DeviceClaim[] }): ReactNode {
  return claims.map((claim) => <Claim key={claim.id} claim={claim} />);
}

function Claim({ claim }: { claim: DeviceClaim }): ReactNode {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const isLedTo = useTab().query.claim === claim.id;
  useEffect(() => {
    if (!isLedTo) return;
    heading.current?.scrollIntoView({ block: 'center' });
    heading.current?.focus({ preventScroll: true });
  }, [isLedTo]);
  return (
    <section className={`${styles.claim} ${styles.listed}`} aria-labelledby={`claim-${claim.id}`}>
      <h3 id={`claim-${claim.id}`} ref={heading} tabIndex={-1}>
        {titleOf(t, claim)}
      </h3>
      <p>{textOf(t, claim)}</p>
      {claim.can.release && (
        <Can code="site:edit">
          <ClaimDecisions claim={claim} heading={heading} />
        </Can>
      )}
    </section>
  );
}

/** After "keep" the notice stays and has the focus; otherwise it goes, and what it stands above has it. */
function focusAfter(decision: ClaimDecision, notice: HTMLElement | null): void {
  const panel = notice?.closest('section')?.parentElement?.closest('section');
  const target = decision === 'keep' ? notice : (panel?.querySelector('h2') ?? notice);
  if (!target) return;
  target.tabIndex = -1;
  target.focus();
}

interface ClaimDecisionsProps {
  claim: DeviceClaim;
  heading: RefObject<HTMLElement | null>;
}

function ClaimDecisions({ claim, heading }: ClaimDecisionsProps): ReactNode {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<ClaimDecision>();
  const done = useRef<ClaimDecision>(undefined);
  const write = useWrite(decide, { inPlace: true });
  const sides = sidesOf(t, claim);
  // Once the question is off the page and has given the focus back to its button.
  useEffect(() => {
    if (asked !== undefined || done.current === undefined) return;
    focusAfter(done.current, heading.current);
    done.current = undefined;
  }, [asked, heading]);
  return (
    <div className={styles.decisions}>
      {claimDecisions
        .filter((decision) => claim.can[decision])
        .map((decision) => (
          <Button key={decision} small onClick={() => setAsked(decision)}>
            {t(`device-claims.decision.${decision}.label`, sides)}
          </Button>
        ))}
      {asked !== undefined && (
        <ConfirmAction
          opened
          onClose={() => setAsked(undefined)}
          title={t(`device-claims.decision.${asked}.question`, sides)}
          confirmLabel={t(`device-claims.decision.${asked}.confirm`)}
          danger={asked === 'release'}
          onConfirm={async () => {
            await write.mutateAsync({ id: claim.id, decision: asked });
            done.current = asked;
            showNotice({
              id: `claim ${claim.id} ${asked}`,
              text: t(`device-claims.decision.${asked}.done`, sides),
              color: 'brand',
            });
          }}
        >
          <p>{t(`device-claims.decision.${asked}.meaning`, sides)}</p>
        </ConfirmAction>
      )}
    </div>
  );
}
