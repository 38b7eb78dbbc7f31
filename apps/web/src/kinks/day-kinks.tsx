import { kinks } from '@sonnenwarte/contract/kinks/kinks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';
import { KinkTold } from './kink-told.tsx';
import type { DayKinksProps } from './kinks-part.ts';

/** Finds the kinks of a day's curve and hands them on as marks; each explains itself when it is chosen. */
export function DayKinks({ stationID, date, timeZone, refetchInterval, onFound }: DayKinksProps): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery({ ...read(kinks, { stationID, date }, { quiet: true }), refetchInterval });
  useEffect(() => {
    const marks = (data?.kinks ?? []).map((kink) => ({
      key: `kink:${kink.fromMs}`,
      kind: 'kink' as const,
      fromMs: kink.fromMs,
      toMs: kink.toMs,
      label: t(`kinks.shape.${kink.shape}`),
      detail: <KinkTold stationID={stationID} date={date} timeZone={timeZone} kink={kink} />,
    }));
    onFound(marks);
    return () => onFound([]);
  }, [data, stationID, date, timeZone, t, onFound]);
  return null;
}
