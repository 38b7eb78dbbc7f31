import type { KinkCause } from '@sonnenwarte/contract/kinks/kink-cause';
import type { Kink } from '@sonnenwarte/contract/kinks/kinks';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';

/** What a reason of a kink says in words, by what was measured. */
export function useCauseWords(timeZone: string): (cause: KinkCause, kink: Kink) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  const stringWords = (cause: Extract<KinkCause, { kind: 'string' }>, kink: Kink): string => {
    const { n, other, of, code } = cause;
    const fell = t(`kinks.cause.${of}`, {
      n,
      other: other.n,
      percent: format.percent(cause.percent, 0),
      otherPercent: format.percent(other.percent, 0),
    });
    const likely =
      code !== null
        ? t('kinks.likely.alarm', { alarm: alarmText(code).name })
        : t(kink.recovers ? 'kinks.likely.shade' : 'kinks.likely.defect');
    return `${fell} ${likely}`;
  };
  return (cause, kink) => {
    switch (cause.kind) {
      case 'string':
        return stringWords(cause, kink);
      case 'alarm':
        return t('kinks.cause.alarm', { alarm: alarmText(cause.code).name, device: cause.device.deviceSN });
      case 'inverter':
        return t('kinks.cause.inverter', {
          device: cause.device.deviceSN,
          percent: format.percent(cause.percent, 0),
          others: format.percent(cause.othersPercent, 0),
        });
      case 'clipping':
        return t('kinks.cause.clipping', { power: format.power(cause.ratedW) });
      case 'export-limit':
        return t('kinks.cause.exportLimit', { power: format.power(cause.limitW) });
      case 'battery-full':
        return t('kinks.cause.batteryFull', {
          percent: format.percent(cause.socPercent, 0),
          power: format.power(cause.limitW),
        });
      case 'cloud':
        return t(`kinks.cloud.${cause.by}`, {
          number: format.number(cause.count),
          percent: format.percent(cause.percent, 0),
        });
      case 'gap':
        return t('kinks.cause.gap', { devices: cause.devices.map(({ deviceSN }) => deviceSN).join(', ') });
      case 'workMode':
        return t('kinks.cause.workMode', { time: format.time(cause.atMs, timeZone) });
      case 'standstill':
        return t('kinks.cause.standstill');
      case 'correction':
        return t('kinks.cause.correction');
    }
  };
}
