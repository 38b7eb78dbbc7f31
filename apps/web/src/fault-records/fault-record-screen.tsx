import { list as call, devices, exportList, plants } from '@sonnenwarte/contract/fault-records/fault-records';
import { recordStates } from '@sonnenwarte/contract/fault-records/record-moves';
import { alarmFacts } from '@sonnenwarte/contract/incidents/alarm-facts';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { DayRangeFilter } from '../blocks/list/day-range-filter.tsx';
import { ExportButton } from '../blocks/list/export-button.tsx';
import { ListSearch } from '../blocks/list/filters.tsx';
import { ListScreen } from '../blocks/list/list-screen.tsx';
import { RecordFilter } from '../blocks/list/record-filter.tsx';
import { useList } from '../blocks/list/use-list.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { useTabQuery } from '../tabs/tab-context.ts';
import { ListingLine } from './listing-line.tsx';
import { OpenRecord } from './open-record.tsx';
import { recordActions } from './record-actions.tsx';
import { FaultCell, StateCell, TriggerText } from './record-cells.tsx';
import { useRecordNews } from './use-record-news.ts';

/** Where the stream is cut. */
const REFRESH_MS = 60_000;
const BYTES_A_KILOBYTE = 1_024;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Of the grid, of the direct current side and of the device itself. */
const codes = Object.keys(alarmFacts)
  .map(Number)
  .filter((code) => code < 4_000);

const fields: readonly ShownField<typeof call>[] = [
  { field: 'code', card: 'title', cell: (row) => <FaultCell row={row} /> },
  { field: 'deviceSN', card: 'foot' },
  { field: 'plantName', card: 'foot' },
  { field: 'occurredMs', card: 'foot', cell: (row) => <Began ms={row.occurredMs} zone={row.ianaTimezone} /> },
  { field: 'trigger', cell: (row) => <TriggerText row={row} /> },
  { field: 'state', card: 'aside', cell: (row) => <StateCell row={row} /> },
  { field: 'index', optional: true },
  { field: 'bytes', optional: true, cell: (row) => <Size bytes={row.bytes} /> },
];

/** Fault records of inverters, and below them the one that the address names. */
export function FaultRecordScreen(): ReactNode {
  const { t } = useTranslation();
  const alarmText = useAlarmText();
  const [query, setQuery] = useTabQuery();
  useRecordNews();
  const records = useList(call, { refreshMs: REFRESH_MS });
  const columns = useColumns(records, fields);
  const { condition } = records.value;
  const sources = useMemo(() => {
    const words = { search: t('fault-records.choose.search'), none: t('fault-records.choose.none') };
    return { plants: { endpoint: plants, ...words }, devices: { endpoint: devices, ...words } };
  }, [t]);
  const { record: named = '', ...withoutRecord } = query;
  const recordID = uuid.test(named) ? named : undefined;
  return (
    <ListScreen
      title={t('fault-records.list.title')}
      list={records}
      actions={<ExportButton endpoint={exportList} list={records} columns={columns} />}
      filters={
        <>
          <ListSearch list={records} />
          <RecordFilter
            list={records}
            field="stationID"
            label={t('fault-records.field.stationID')}
            source={sources.plants}
          />
          <RecordFilter
            list={records}
            field="deviceID"
            label={t('fault-records.field.deviceID')}
            source={sources.devices}
          />
          <Select
            label={t('fault-records.field.code')}
            value={String(condition.code ?? '')}
            options={[
              { value: '', label: t('common.all') },
              ...codes.map((code) => ({ value: String(code), label: `${code} ${alarmText(code).name}` })),
            ]}
            onChange={(chosen) => {
              const { code: _, ...others } = condition;
              records.set({ condition: { ...others, ...(chosen !== '' && { code: Number(chosen) }) } });
            }}
          />
          <Select
            label={t('fault-records.field.state')}
            value={condition.states?.[0] ?? ''}
            options={[
              { value: '', label: t('common.all') },
              ...recordStates.map((state) => ({ value: state, label: t(`fault-records.state.${state}`) })),
            ]}
            onChange={(chosen) => {
              const { states: _, ...others } = condition;
              const state = recordStates.find((each) => each === chosen);
              records.set({ condition: { ...others, ...(state && { states: [state] }) } });
            }}
          />
          <DayRangeFilter
            list={records}
            from="fromMs"
            to="toMs"
            label={t('fault-records.field.occurredMs')}
            timeZone={localZone()}
          />
        </>
      }
    >
      <ListingLine deviceID={condition.deviceID} />
      <DataTable list={records} columns={columns} actions={recordActions} />
      {recordID !== undefined && (
        <OpenRecord key={recordID} recordID={recordID} onClose={() => setQuery(withoutRecord)} />
      )}
    </ListScreen>
  );
}

function Began({ ms, zone }: { ms: number; zone: string }): ReactNode {
  return useFormat().plantTime(ms, zone);
}

function Size({ bytes }: { bytes: number }): ReactNode {
  return `${useFormat().number(bytes / BYTES_A_KILOBYTE, 1)} KiB`;
}
