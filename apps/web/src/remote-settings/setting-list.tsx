import type { SettingGroup, SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import type { Edits } from './edits.ts';
import type { GroupSummary } from './setting-groups.ts';
import parts from './setting-row.module.css';
import { type RowActs, SettingRowLine } from './setting-row.tsx';
import styles from './settings.module.css';
import { type SettingTexts, useSettingTexts } from './use-setting-text.ts';

interface SettingListProps {
  groups: readonly GroupSummary[];
  group: SettingGroup | undefined;
  /** Looked for in all groups; empty: the group as a whole. */
  search: string;
  edits: Edits;
  shownName: string | undefined;
  timeZone: string;
  mayWrite: boolean;
  busy: boolean;
  acts: RowActs;
}

/** The settings of a group, or those of all groups that are looked for. */
export function SettingList({ groups, group, search, ...of }: SettingListProps): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const shown =
    search.trim() === ''
      ? groups.filter((each) => each.group === group)
      : groups.flatMap((each) => {
          const rows = each.rows.filter((row) => isFound(row, search, texts));
          return rows.length === 0 ? [] : [{ ...each, rows }];
        });
  if (shown.length === 0) return <EmptyState text={t('setting-screens.notFound', { text: search.trim() })} />;
  return shown.map((summary, at) => (
    <Fragment key={summary.group}>
      <header className={styles.head}>
        <h2>{t(`setting-screens.group.${summary.group}`)}</h2>
        <span>{t('setting-screens.count', { count: summary.rows.length })}</span>
      </header>
      {at === 0 && (
        <div className={parts.columns} aria-hidden="true">
          <span>{t('setting-screens.setting')}</span>
          <span>{t('setting-screens.deviceSays')}</span>
          <span>{t('setting-screens.wanted')}</span>
          <span>{t('setting-screens.state')}</span>
        </div>
      )}
      <ul className={parts.rows}>
        {summary.rows.map((row) => (
          <SettingRowLine
            key={row.rule.name}
            row={row}
            edit={of.edits[row.rule.name]}
            timeZone={of.timeZone}
            mayWrite={of.mayWrite}
            isShown={of.shownName === row.rule.name}
            busy={of.busy}
            isFreed={row.blockedBy !== null && of.edits[row.blockedBy.name] !== undefined}
            acts={of.acts}
          />
        ))}
      </ul>
    </Fragment>
  ));
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function isFound({ rule }: SettingRow, search: string, texts: SettingTexts): boolean {
  const wanted = plain(search.trim());
  return [texts.label(rule), texts.meaning(rule), rule.name].some((text) => plain(text).includes(wanted));
}
