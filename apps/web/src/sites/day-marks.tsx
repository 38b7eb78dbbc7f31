import type { SiteAlarms, SiteChange } from '@sonnenwarte/contract/sites/site-alarms';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChartMark } from '../charts/chart-marks.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { AlarmDevice } from './alarm-device.tsx';

/** Alarms and changes of a day as marks of its chart, in the order of time. */
export function useDayMarks(answer: SiteAlarms | undefined, timeZone: string, nowMs: number): ChartMark[] {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts follow the language, as `t` and `format` do
  return useMemo(() => {
    if (answer === undefined) return [];
    const clock = (tsMs: number): string => format.time(tsMs, timeZone);
    const alarms = answer.alarms.map((alarm): ChartMark => {
      const { name } = alarmText(alarm.code);
      const { sinceMs, untilMs } = alarm;
      const span =
        untilMs === null
          ? t('devices.since', { time: format.dateTime(sinceMs, timeZone) })
          : `${clock(sinceMs)}–${clock(untilMs)}`;
      return {
        key: `${alarm.deviceID}:${alarm.code}:${sinceMs}`,
        kind: 'alarm',
        fromMs: sinceMs,
        toMs: untilMs ?? nowMs,
        label: name,
        detail: (
          <>
            <strong>{name}</strong>, {span} · <AlarmDevice alarm={alarm} />
          </>
        ),
      };
    });
    const changes = answer.changes.map(
      (change): ChartMark => ({
        key: `${change.what}:${change.atMs}`,
        kind: 'change',
        fromMs: change.atMs,
        toMs: null,
        label: t('charts.pricesChanged'),
        detail: `${clock(change.atMs)}: ${pricesOf(change)}`,
      }),
    );
    return [...alarms, ...changes].toSorted((a, b) => a.fromMs - b.fromMs);

    function pricesOf({ price, purchasePrice, currency }: SiteChange): string {
      return [
        `${t('sites.field.price')} ${format.price(price, currency)}`,
        `${t('sites.field.purchasePrice')} ${format.price(purchasePrice, currency)}`,
      ].join(', ');
    }
  }, [answer, timeZone, nowMs, t, format]);
}
