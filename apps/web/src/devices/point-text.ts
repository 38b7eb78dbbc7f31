import { useTranslation } from 'react-i18next';
import type { Quantity } from '../format/quantities.ts';
import { type Format, useFormat } from '../format/use-format.ts';
import { phraseCandidates } from './point-groups.ts';

export interface PointTexts {
  label: (variable: string) => string;
  /** `key` names the value of an enumeration. */
  value: (value: number | string | boolean, unit: string, key?: string) => Quantity;
}

/** Units of the catalogue that are no unit to a reader. */
const unitless = new Set(['1', 'enum', 'bitfield', 'bool', 'text', 'count']);

/** Labels and values of points in the interface language. */
export function usePointTexts(): PointTexts {
  const { t, i18n } = useTranslation();
  const format: Format = useFormat();
  const phrase = (key: string, n = ''): string | undefined =>
    i18n.exists(key) ? String(i18n.t(key as 'flow.title', { n })) : undefined;
  return {
    label: (variable) => {
      for (const { key, n } of phraseCandidates(variable)) {
        const text = phrase(`points.${key}`, n);
        if (text !== undefined) return text;
      }
      return variable;
    },
    value: (value, unit, key) => {
      const named = key === undefined ? undefined : phrase(key);
      if (named !== undefined) return { value: named, unit: '' };
      if (typeof value === 'boolean' || unit === 'bool')
        return { value: value ? t('devices.on') : t('devices.off'), unit: '' };
      if (unit === 'bitfield' && value === 0) return { value: t('devices.noBit'), unit: '' };
      return format.point(value, unitless.has(unit) ? '' : unit);
    },
  };
}
