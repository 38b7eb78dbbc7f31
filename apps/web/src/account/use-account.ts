import { info, type UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { useQuery } from '@tanstack/react-query';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';

/** The signed-in account, which the workspace has read by now. */
export const useAccount = (): UserInfo | undefined => useQuery(read(info, {}, { inPlace: false })).data;

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Times of the account: in the zone that it has chosen, else in the browser's. */
export function useAccountTimes() {
  const format = useFormat();
  const timeZone = useAccount()?.timeZone ?? browserTimeZone();
  return {
    format,
    dateTime: (tsMs: number) => format.dateTime(tsMs, timeZone),
    timeWithZone: (tsMs: number) => format.timeWithZone(tsMs, timeZone),
    age: (tsMs: number) => format.age(Date.now() - tsMs),
  };
}
