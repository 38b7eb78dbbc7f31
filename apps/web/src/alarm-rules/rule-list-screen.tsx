import { list as call, exportList, type RuleRow } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { Badge } from '../blocks/show/badge.tsx';
import { WayButton } from '../blocks/show/way-button.tsx';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import styles from './alarm-rules.module.css';
import { ruleActions, ruleAdding } from './rule-actions.tsx';

/** Who is told of which alarms, when and by which way. */
export function RuleListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const rules = useList(call);
  const fields: readonly ShownField<typeof call>[] = [
    { field: 'name', card: 'title', cell: (row) => <Name row={row} /> },
    { field: 'levels', card: 'foot', cell: (row) => <Levels row={row} /> },
    { field: 'delayMinutes', card: 'foot', cell: (row) => <When row={row} /> },
    { field: 'channels', card: 'foot', cell: (row) => <Ways row={row} /> },
    { field: 'receivers', card: 'foot', cell: (row) => <Receivers row={row} /> },
    { field: 'keeper', optional: true },
    { field: 'lastToldMs', card: 'aside', cell: (row) => <LastTold row={row} /> },
  ];
  const columns = useColumns(rules, fields);
  return (
    <ListScreen
      title={label('alarm-rules')}
      list={rules}
      actions={
        <>
          <WayButton to="alarm-deliveries" />
          <ExportButton endpoint={exportList} list={rules} columns={columns} />
          <ActionButtons table={ruleAdding} row={undefined} look="filled" />
        </>
      }
      figures={<p className={styles.about}>{t('alarm-rules.about')}</p>}
      filters={<ListSearch list={rules} />}
    >
      <DataTable list={rules} columns={columns} actions={ruleActions} />
    </ListScreen>
  );
}

function Name({ row: { name, enabled, can, keeper } }: { row: RuleRow }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles.name}>
      {name || t('alarm-rules.firstRule')}
      {!enabled && <Badge>{t('alarm-rules.off')}</Badge>}
      {can.leave && <small>{keeper}</small>}
    </span>
  );
}

function Levels({ row }: { row: RuleRow }): ReactNode {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const { levels, codes, organisationName, plantName } = row;
  const words = new Intl.ListFormat(locale).format(levels.map((level) => t(`incidents.level.${level}`)));
  const only = [
    codes.length > 0 && t('alarm-rules.chosenAlarms', { count: codes.length }),
    organisationName,
    plantName,
  ].filter((part) => part !== false && part !== '');
  return (
    <span className={styles.name}>
      {words}
      {only.length > 0 && <small>{only.join(' · ')}</small>}
    </span>
  );
}

function When({ row }: { row: RuleRow }): ReactNode {
  const { t } = useTranslation();
  const { delayMinutes, mode, digestAt, quietFrom, quietTo } = row;
  return (
    <span className={styles.name}>
      {mode === 'daily'
        ? `${t('alarm-rules.field.digestAt')} ${digestAt}`
        : t('alarm-rules.minutes', { count: delayMinutes })}
      {quietFrom !== '' && (
        <small>
          {t('alarm-rules.field.quietFrom')} {quietFrom}–{quietTo}
        </small>
      )}
    </span>
  );
}

function Ways({ row: { channels } }: { row: RuleRow }): ReactNode {
  const { t } = useTranslation();
  return channels.map((channel) => t(`alarm-rules.channel.${channel}`)).join(', ');
}

function Receivers({ row: { receivers } }: { row: RuleRow }): ReactNode {
  const { t } = useTranslation();
  const names = receivers.map(({ name }) => name);
  return names.length > 2 ? t('alarm-rules.people', { count: names.length }) : names.join(', ') || '–';
}

function LastTold({ row: { lastToldMs } }: { row: RuleRow }): ReactNode {
  const { moment } = useMoments();
  return lastToldMs === null ? '–' : moment(lastToldMs, localZone());
}
