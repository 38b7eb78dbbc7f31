import type { unread } from '@sonnenwarte/contract/messages/messages';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useMessageNews } from './use-message-news.ts';

/** As the contract says, whose file would bring along more than this number needs. */
const feature = 'messages';
const call = { method: 'GET', path: '/c/v0/message/unread', feature } as typeof unread;
/** Where the stream is cut, and for announcements that begin. */
const REFRESH_MS = 300_000;
/** More are told as so many. */
const MOST_SHOWN = 99;

/** How many messages are unread, for the entry of the menu. */
export function MenuCount({ className }: { className: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  useMessageNews();
  const { data } = useQuery({ ...read(call, {}, { quiet: true }), refetchInterval: REFRESH_MS });
  const count = data?.total ?? 0;
  if (count === 0) return null;
  return (
    <>
      <span className={className} aria-hidden="true">
        {count > MOST_SHOWN ? `${format.number(MOST_SHOWN)}+` : format.number(count)}
      </span>
      <span className="visually-hidden">, {t('shell.unread', { count })}</span>
    </>
  );
}
