import type { DeviceClaim } from '@sonnenwarte/contract/device-claims/device-claims';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { useTab } from '../tabs/tab-context.ts';
import { claimActions } from './claim-actions.tsx';
import { textOf, titleOf } from './claim-words.ts';
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
        <div className={styles.decisions}>
          <ActionButtons table={claimActions} row={claim} small onDone={(name) => focusAfter(name, heading.current)} />
        </div>
      )}
    </section>
  );
}

/** After "keep" the notice stays and has the focus; otherwise it goes, and what it stands above has it. */
function focusAfter(decision: string, notice: HTMLElement | null): void {
  const panel = notice?.closest('section')?.parentElement?.closest('section');
  const target = decision === 'keep' ? notice : (panel?.querySelector('h2') ?? notice);
  if (!target) return;
  target.tabIndex = -1;
  target.focus();
}
