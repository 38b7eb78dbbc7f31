import {
  type AnnouncementRow,
  announcementStates,
  list as call,
  exportList,
} from '@sonnenwarte/contract/announcements/announcements';
import { isLevel } from '@sonnenwarte/contract/levels';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Select } from '../blocks/form/select.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { type FilteredList, useList } from '../blocks/list/use-list.ts';
import { Badge, type Tone } from '../blocks/show/badge.tsx';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { announcementActions, announcing } from './announcement-actions.tsx';
import styles from './announcements.module.css';

/** What the operator of the platform tells many, with who it is for. */
export function AnnouncementListScreen(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const format = useFormat();
  const announcements = useList(call);
  const time = (ms: number): string => format.dateTime(ms, localZone());
  const fields: readonly ShownField<typeof call>[] = [
    { field: 'title', card: 'title' },
    { field: 'state', card: 'aside', cell: (row) => <StateBadge row={row} /> },
    { field: 'fromMs', card: 'foot', cell: ({ fromMs }) => time(fromMs) },
    { field: 'untilMs', card: 'foot', cell: ({ untilMs }) => time(untilMs) },
    { field: 'levels', card: 'foot', cell: (row) => <Levels row={row} /> },
    {
      field: 'organisations',
      cell: ({ organisations }) => organisations.map(({ name }) => name).join(', ') || t('common.all'),
    },
    { field: 'reads', card: 'figure' },
    { field: 'by', optional: true },
  ];
  const columns = useColumns(announcements, fields);
  return (
    <ListScreen
      title={label('announcements')}
      list={announcements}
      actions={
        <>
          <ExportButton endpoint={exportList} list={announcements} columns={columns} />
          <ActionButtons table={announcing} row={undefined} look="filled" />
        </>
      }
      figures={<p className={styles.about}>{t('announcements.about')}</p>}
      filters={
        <>
          <ListSearch list={announcements} />
          <States list={announcements} />
        </>
      }
    >
      <DataTable list={announcements} columns={columns} actions={announcementActions} />
    </ListScreen>
  );
}

function States({ list }: { list: FilteredList<typeof call> }): ReactNode {
  const { t } = useTranslation();
  const { states, ...others } = list.value.condition;
  return (
    <Select
      label={t('announcements.field.state')}
      value={states?.[0] ?? ''}
      options={[
        { value: '', label: t('common.all') },
        ...announcementStates.map((value) => ({ value, label: t(`announcements.state.${value}`) })),
      ]}
      onChange={(value) => {
        const state = announcementStates.find((each) => each === value);
        const condition = { ...others, ...(state && { states: [state] }) };
        list.set({ condition } as Parameters<typeof list.set>[0]);
      }}
    />
  );
}

const tones: Record<AnnouncementRow['state'], Tone> = { planned: 'neutral', shown: 'good', over: 'neutral' };

function StateBadge({ row: { state } }: { row: AnnouncementRow }): ReactNode {
  const { t } = useTranslation();
  return <Badge tone={tones[state]}>{t(`announcements.state.${state}`)}</Badge>;
}

function Levels({ row: { levels } }: { row: AnnouncementRow }): ReactNode {
  const { t } = useTranslation();
  const { locale } = useFormat();
  return new Intl.ListFormat(locale).format(levels.filter(isLevel).map((level) => t(`levels.${level}`)));
}
