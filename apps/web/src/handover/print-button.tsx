import { type HandoverNow, PRINTED_CODE_HOURS, prolong } from '@sonnenwarte/contract/handover/handover';
import { IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { Button } from '../blocks/show/button.tsx';
import type { Permitted } from '../client/permit.ts';
import { useWrite } from '../client/queries.ts';

const HOUR_MS = 3_600_000;

/** Whether a code is good for as long as one on paper has to be. */
export const isForPaper = ({ madeMs, expiresMs }: HandoverNow): boolean =>
  expiresMs - madeMs >= PRINTED_CODE_HOURS * HOUR_MS;

interface PrintButtonProps {
  stationID: string;
  now: HandoverNow;
  /** The sheet is drawn. */
  isReady: boolean;
}

/** Prints the sheet, once its code is good for longer than one on the screen. */
export function PrintButton(props: PrintButtonProps): ReactNode {
  return <Can of={prolong}>{(of) => <ProlongingPrint {...props} of={of} />}</Can>;
}

function ProlongingPrint({ stationID, now, isReady, of }: PrintButtonProps & { of: Permitted<typeof prolong> }) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const prolonging = useWrite<Permitted<typeof prolong>>(of);
  const isGood = isForPaper(now);
  useEffect(() => {
    if (!wanted || !isGood || !isReady) return;
    setWanted(false);
    window.print();
  }, [wanted, isGood, isReady]);
  const print = (): void => {
    setWanted(true);
    if (!isGood) prolonging.mutate({ stationID }, { onError: () => setWanted(false) });
  };
  const isBusy = wanted || !isReady;
  return (
    <Button look="filled" aria-disabled={isBusy} onClick={() => !isBusy && print()}>
      <IconPrinter size={18} aria-hidden="true" />
      {t('handover.print')}
    </Button>
  );
}
