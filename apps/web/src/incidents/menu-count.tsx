import type { summary } from '@sonnenwarte/contract/incidents/incident-summary';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';

/** As the contract says, whose file would bring the causes of all alarms along for one number, and its name their texts. */
const feature = 'incidents';
const call = { method: 'GET', path: '/c/v0/alarm/summary', feature } as typeof summary;
const REFRESH_MS = 60_000;
/** More are told as so many. */
const MOST_SHOWN = 99;

/** How many alarms nobody has taken notice of, for the entry of the menu. */
export function MenuCount({ className }: { className: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({ ...read(call, {}, { quiet: true }), refetchInterval: REFRESH_MS });
  const count = data?.counts.unacknowledged ?? 0;
  if (count === 0) return null;
  return (
    <>
      <span className={className} aria-hidden="true">
        {count > MOST_SHOWN ? `${format.number(MOST_SHOWN)}+` : format.number(count)}
      </span>
      <span className="visually-hidden">, {t('shell.unacknowledged', { count })}</span>
    </>
  );
}
