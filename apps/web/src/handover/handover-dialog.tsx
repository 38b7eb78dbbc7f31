import { type HandoverNow, type make, state, withdraw } from '@sonnenwarte/contract/handover/handover';
import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { usePermit } from '../blocks/actions/can.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import type { Permitted } from '../client/permit.ts';
import { read, useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useHandoverLive } from '../live/use-live.ts';
import { useNow } from '../live/use-now.ts';
import styles from './handover.module.css';
import { HandoverSteps } from './handover-steps.tsx';
import { keepCode, useMadeCode } from './made-codes.ts';
import { OpenCode } from './open-code.tsx';

const MINUTE_MS = 60_000;

/** Hands a plant over to its customer: makes the code, shows it, and how far the customer has come. */
export function HandoverDialog({ row, of, onClose, words }: ActionProps<SiteRow, typeof make>): ReactNode {
  const { t } = useTranslation();
  const { stationID } = row;
  const query = useQuery(read(state, { stationID }));
  const live = useHandoverLive(stationID);
  const now = live === undefined ? query.data?.handover : live;
  const nowMs = useNow(MINUTE_MS);
  const isOpen = now?.state === 'open' && now.expiresMs > nowMs;
  const code = useMadeCode(stationID, now);
  const shown = isOpen && code !== undefined;
  return (
    <Dialog title={t('handover.title', { plant: words.name })} opened onClose={onClose} wide={shown ? 'twice' : true}>
      <p className={styles.lead}>{t('handover.lead')}</p>
      <ReadState query={query}>
        <Skeleton height="16rem" />
      </ReadState>
      {query.data && now !== undefined && (
        <div className={styles.stages}>
          {shown ? (
            <OpenCode row={row} code={code} now={now} withdrawing={<Withdraw stationID={stationID} />} />
          ) : (
            <Making row={row} of={of} owner={query.data.owner} now={now} isOpen={isOpen} />
          )}
        </div>
      )}
    </Dialog>
  );
}

interface MakingProps {
  row: SiteRow;
  of: Permitted<typeof make>;
  owner: string;
  now: HandoverNow | null;
  isOpen: boolean;
}

/** What became of the last code, and a new one; who owns the plant is replaced only where that is said. */
function Making({ row, of, owner, now, isOpen }: MakingProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { stationID } = row;
  const making = useWrite<Permitted<typeof make>>(of, { inPlace: true });
  const ended = now?.state === 'open' && !isOpen ? 'expired' : now?.state;
  const owned = now?.state === 'used' ? now.usedBy : owner;
  const wasJustGiven = ended === 'used';
  const [asked, setAsked] = useState(false);
  const isAsked = asked || !wasJustGiven;
  const begin = (): void =>
    making.mutate(
      { stationID, replacesOwner: owned !== '' },
      { onSuccess: ({ code, handover }) => keepCode(stationID, code, handover) },
    );
  return (
    <>
      {now && (ended === 'used' || isOpen) && <HandoverSteps now={now} />}
      {now?.usedMs != null && (
        <p className={styles.done} role="status">
          {t('handover.done', { user: now.usedBy, time: format.localTime(now.usedMs) })}
        </p>
      )}
      {now && isOpen && (
        <p className={styles.note}>
          {t('handover.standing', {
            by: now.by,
            time: format.localTime(now.madeMs),
            until: format.localTime(now.expiresMs),
          })}
        </p>
      )}
      {(ended === 'withdrawn' || ended === 'expired' || ended === 'void') && (
        <p className={styles.note}>{t(`handover.ended.${ended}`)}</p>
      )}
      {owned !== '' && isAsked && <p className={styles.warning}>{t('handover.owned', { owner: owned })}</p>}
      <div className={styles.buttons}>
        {isAsked ? (
          <Button
            look={owned === '' ? 'filled' : 'danger-quiet'}
            aria-disabled={making.isPending}
            onClick={() => !making.isPending && begin()}
          >
            {t(owned !== '' ? 'handover.replace' : now === null ? 'handover.make' : 'handover.makeNew')}
          </Button>
        ) : (
          <Button look="plain" onClick={() => setAsked(true)}>
            {t('handover.makeNew')}
          </Button>
        )}
        {isOpen && <Withdraw stationID={stationID} />}
      </div>
      {making.error && <ErrorNotice error={making.error} />}
    </>
  );
}

/** Ends the code that is out. */
function Withdraw({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const of = usePermit()(withdraw);
  return of ? <WithdrawButton of={of} stationID={stationID} label={t('handover.withdraw')} /> : null;
}

interface WithdrawButtonProps {
  of: Permitted<typeof withdraw>;
  stationID: string;
  label: string;
}

function WithdrawButton({ of, stationID, label }: WithdrawButtonProps): ReactNode {
  const withdrawing = useWrite<Permitted<typeof withdraw>>(of);
  return (
    <Button look="plain" aria-disabled={withdrawing.isPending} onClick={() => withdrawing.mutate({ stationID })}>
      {label}
    </Button>
  );
}
