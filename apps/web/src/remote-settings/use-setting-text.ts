import type { Command } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRow, SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import { tripsOf } from './table-rows.ts';
import { type Bounds, numberText, type Refusal, type Scale, scaleOf } from './values.ts';

type Labelled = Pick<SettingRule, 'labelKey' | 'name'>;

const POINTS = 'points.';

/** A phrase that the server names; what it does not name, or what is not there, is shown otherwise. */
function phrase(t: TFunction, key: string, otherwise: string): string {
  if (key === '') return otherwise;
  const named = key.startsWith(POINTS) ? `points.${key.slice(POINTS.length)}` : key;
  return t(named as never, { defaultValue: otherwise });
}

const joined = (amount: string, unit: string): string => (unit === '' ? amount : `${amount}\u00a0${unit}`);

function textsIn(t: TFunction, locale: string) {
  const option = (rule: SettingRule, value: SettingValue): string => {
    const found = rule.options.find((each) => each.value === value);
    return found?.labelKey ? phrase(t, found.labelKey, String(value)) : String(value);
  };
  const number = (value: number, bounds: Bounds): { amount: string; unit: string } => {
    const scale = scaleOf(bounds);
    return { amount: numberText(value, scale, locale), unit: scale.unit };
  };
  const quantity = (value: number, bounds: Bounds): string => {
    const { amount, unit } = number(value, bounds);
    return joined(amount, unit);
  };
  /** Limits of a setting that is one row of them: each with the time after which it trips. */
  const trips = (rule: SettingRule, value: SettingValue | null): string[] =>
    tripsOf(rule, value).map(({ side, limit, limitOf, time, timeOf }) =>
      t(`setting-screens.trip.${side}`, { limit: quantity(limit, limitOf), time: quantity(time, timeOf) }),
    );
  /** A value with its unit apart, so that it can stand lighter beside it. */
  const parts = (rule: SettingRule, value: SettingValue | null): { amount: string; unit: string } => {
    if (value === null) return { amount: NOT_MEASURED, unit: '' };
    if (rule.form === 'switch' || typeof value === 'boolean') {
      return { amount: t(value === true || value === 1 ? 'setting-screens.yes' : 'setting-screens.no'), unit: '' };
    }
    if (Array.isArray(value)) {
      const limits = trips(rule, value);
      const rows = () => t('setting-screens.rows', { count: value.length });
      return { amount: limits.length === 0 ? rows() : limits.join(' · '), unit: '' };
    }
    if (rule.form === 'number' && typeof value === 'number') return number(value, rule);
    return { amount: option(rule, value), unit: '' };
  };
  const value = (rule: SettingRule, of: SettingValue | null): string => {
    const { amount, unit } = parts(rule, of);
    return joined(amount, unit);
  };
  /** A value in the pieces of which each can stand on a line of its own. */
  const pieces = (rule: SettingRule, of: SettingValue | null): string[] => {
    const limits = trips(rule, of);
    return limits.length === 0 ? [value(rule, of)] : limits;
  };
  const bounds = (of: Bounds): string => {
    const scale = scaleOf(of);
    const { low, high } = of;
    const text = (each: number) => numberText(each, scale, locale);
    if (low !== null && high !== null) {
      return joined(t('setting-screens.range', { low: text(low), high: text(high) }), scale.unit);
    }
    if (low !== null) return joined(t('setting-screens.from', { low: text(low) }), scale.unit);
    return high === null ? '' : joined(t('setting-screens.upTo', { high: text(high) }), scale.unit);
  };
  const refusal = (refused: Refusal, of: Bounds): string => {
    switch (refused.why) {
      case 'low':
        return t('setting-screens.refusal.low', { bound: quantity(refused.bound, of) });
      case 'high':
        return t('setting-screens.refusal.high', { bound: quantity(refused.bound, of) });
      case 'step':
        return t('setting-screens.refusal.step', { bound: quantity(refused.bound, of) });
      case 'rows':
        return t('setting-screens.refusal.rows', { count: refused.bound });
      case 'period':
        return t('setting-screens.refusal.period', { count: refused.bound });
      default:
        return t(`setting-screens.refusal.${refused.why}`);
    }
  };
  return {
    label: ({ labelKey, name }: Labelled): string => phrase(t, labelKey, name.replace(/^.*\//, '')),
    meaning: ({ meaningKey }: SettingRule): string => phrase(t, meaningKey, ''),
    risk: ({ riskKey }: SettingRule): string => (riskKey === null ? '' : phrase(t, riskKey, '')),
    column: ({ labelKey, name }: Labelled): string => phrase(t, labelKey, name),
    option,
    /** Labels of what a command writes, by name. */
    labelsOf: ({ content }: Pick<Command, 'content'>, rows: readonly SettingRow[]): Record<string, string> =>
      Object.fromEntries(
        Object.keys(content.values ?? {}).map((name) => {
          const rule = rows.find((row) => row.rule.name === name)?.rule;
          return [name, phrase(t, rule?.labelKey ?? '', name.replace(/^.*\//, ''))];
        }),
      ),
    parts,
    pieces,
    /** Whether it is written out in more than one piece. */
    isSpelledOut: (rule: SettingRule, of: SettingValue | null): boolean => tripsOf(rule, of).length > 0,
    value,
    bounds,
    refusal,
    typed: (each: number, scale: Scale): string => numberText(each, scale, locale, false),
  };
}

export type SettingTexts = ReturnType<typeof textsIn>;

/** Names, meanings, values and bounds of settings in the language of the screen. */
export function useSettingTexts(): SettingTexts {
  const { t } = useTranslation();
  const { locale } = useFormat();
  return useMemo(() => textsIn(t, locale), [t, locale]);
}
