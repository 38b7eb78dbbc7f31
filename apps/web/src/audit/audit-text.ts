import type { AuditAction } from '@sonnenwarte/contract/audit/actions';
import type { AuditRecordKind } from '@sonnenwarte/contract/audit/audit';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const camelCase = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Words for what an entry names: its action, its kind of record, the fields that changed and their values. */
export function useAuditText() {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const known = (key: string): string | undefined =>
      i18n.exists(key) ? String(t(key as 'audit.field.action')) : undefined;

    const value = (shown: unknown): string => {
      if (shown === null || shown === undefined || shown === '') return '–';
      if (typeof shown === 'boolean') return t(shown ? 'audit.detail.yes' : 'audit.detail.no');
      if (typeof shown === 'number') return Number.isInteger(shown) ? format.number(shown) : String(shown);
      if (typeof shown === 'string')
        return instant.test(shown) ? format.dateTime(Date.parse(shown), localZone()) : shown;
      if (Array.isArray(shown)) return shown.length === 0 ? '–' : shown.map(value).join(', ');
      return Object.entries(shown)
        .map(([name, inner]) => `${known(`audit.change.${camelCase(name)}`) ?? name}: ${value(inner)}`)
        .join(', ');
    };

    return {
      /** Who acted where nobody did. */
      server: t('audit.detail.server'),
      action: (action: AuditAction | string): string => known(`audit.action.${action}`) ?? action,
      record: (kind: AuditRecordKind | string): string => known(`audit.record.${kind}`) ?? kind,
      level: (level: number | null): string => (level === null ? '' : (known(`levels.${level}`) ?? String(level))),
      /** Label of a field: the feature's own, else the one that all have in common, else its name. */
      field: (action: string, name: string): string => {
        const [feature = ''] = action.split('.');
        const field = camelCase(name);
        return known(`${feature}.field.${field}`) ?? known(`audit.change.${field}`) ?? name;
      },
      value,
    };
  }, [t, i18n, format]);
}

export type AuditText = ReturnType<typeof useAuditText>;
