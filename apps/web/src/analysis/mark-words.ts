import type { AnalysisMark } from '@sonnenwarte/contract/analysis/analysis';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../format/alarm-text.ts';
import { joinQuantity, NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';

type SettingMark = Extract<AnalysisMark, { kind: 'setting' }>;
type Told = NonNullable<SettingMark['from']>;

/** Tells marks apart. */
export const keyOfMark = (mark: AnalysisMark): string =>
  `${mark.kind} ${mark.deviceID} ${mark.kind === 'alarm' ? mark.code : mark.name} ${mark.atMs}`;

/** What a mark is called. */
export function useMarkName(): (mark: AnalysisMark) => string {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  return useCallback(
    (mark) => {
      if (mark.kind === 'alarm') return alarmText(mark.code).name;
      const otherwise = mark.name.replace(/^.*\//, '');
      return mark.labelKey === '' ? otherwise : t(mark.labelKey as never, { defaultValue: otherwise });
    },
    [t, alarmText],
  );
}

/** What a setting was and what it became; tables are only said to have changed. */
export function useChangeText(): (mark: SettingMark) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const told = (of: Told | null, unit: string): string => {
    if (of === null) return NOT_MEASURED;
    const { value, phrase } = of;
    if (phrase !== undefined) return t(phrase as never, { defaultValue: String(value) });
    if (typeof value === 'boolean') return t(value ? 'analysis.on' : 'analysis.off');
    return typeof value === 'number' ? joinQuantity(format.point(value, unit)) : String(value);
  };
  return ({ from, to, unit }) =>
    Array.isArray(to.value) ? t('analysis.tableChanged') : `${told(from, unit)} → ${told(to, unit)}`;
}
