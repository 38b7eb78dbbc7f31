import type { IncidentRow } from '@sonnenwarte/contract/incidents/incidents';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Nesting } from '../blocks/list/data-table.tsx';
import { Button } from '../blocks/show/button.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './incidents.module.css';
import type { Children } from './use-children.ts';

interface Nested {
  /** With what the opened ones explain below them. */
  readonly shown: readonly IncidentRow[];
  readonly nesting: Nesting<IncidentRow>;
}

/** Incidents with what they explain below them, as far as that was opened. */
export function useNested(rows: readonly IncidentRow[], children: Children): Nested {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  const isTop = new Set(rows.map(({ incidentID }) => incidentID));
  const parents = new Map<string, string>();
  /** By the last row of a family, the one that explains it. */
  const lasts = new Map<string, string>();
  const shown = rows.flatMap((row) => {
    const { incidentID } = row;
    if (!children.isOpened(incidentID)) return [row];
    // What another page of the same list shows by itself is not shown twice.
    const below = children.of(incidentID).rows.filter((each) => !isTop.has(each.incidentID));
    for (const each of below) parents.set(each.incidentID, incidentID);
    lasts.set(below.at(-1)?.incidentID ?? incidentID, incidentID);
    return [row, ...below];
  });
  const someExplain = rows.some((row) => row.children > 0);
  return {
    shown,
    nesting: {
      parentOf: ({ incidentID }) => parents.get(incidentID),
      before: (row) => {
        if (row.children > 0 && !parents.has(row.incidentID)) {
          const isOpened = children.isOpened(row.incidentID);
          const Chevron = isOpened ? IconChevronDown : IconChevronRight;
          return (
            <button
              type="button"
              className={styles.chevron}
              aria-expanded={isOpened}
              aria-label={`${alarmText(row.code).name}: ${t('incidents.explains', { count: row.children })}`}
              onClick={() => children.toggle(row.incidentID)}
            >
              <Chevron size={16} aria-hidden="true" />
            </button>
          );
        }
        return someExplain ? <span className={styles.indent} /> : null;
      },
      after: ({ incidentID }) => {
        const parent = lasts.get(incidentID);
        const family = parent === undefined ? undefined : children.of(parent);
        if (parent === undefined || family === undefined || (family.more === 0 && !family.isLoading)) return null;
        return (
          <span className={styles.more}>
            {family.isLoading ? (
              <span role="status">{t('common.loading')}</span>
            ) : (
              <Button small look="plain" onClick={() => children.readMore(parent)}>
                {t('incidents.moreExplained', { number: format.number(family.more) })}
              </Button>
            )}
          </span>
        );
      },
    },
  };
}
