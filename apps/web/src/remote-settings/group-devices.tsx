import { deviceKind } from '@sonnenwarte/contract/devices/device';
import { list } from '@sonnenwarte/contract/devices/devices';
import { findDevices } from '@sonnenwarte/contract/remote-settings/group-remote';
import { MOST_DEVICES_OF_A_GROUP } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Select } from '../blocks/form/select.tsx';
import { type ShownField, useColumns } from '../blocks/list/columns.tsx';
import { DataTable } from '../blocks/list/data-table.tsx';
import { FieldFilter, ListSearch } from '../blocks/list/filters.tsx';
import type { Selection } from '../blocks/list/selection.tsx';
import { type List, useFilters, useListAnswer } from '../blocks/list/use-list.ts';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { call } from '../client/call.ts';
import { useFormat } from '../format/use-format.ts';
import { useTabQuery } from '../tabs/tab-context.ts';
import styles from './group.module.css';
import { changeGroup, type GroupDraft } from './group-draft.ts';
import { GroupFrame } from './group-screen.tsx';
import { serialNumbersIn } from './serial-numbers.ts';

/** Kinds of devices that have settings of their own. */
const kinds = ['inverter', 'ems', 'meter'] as const;

const withDevices = (draft: GroupDraft, ids: Iterable<string>): void =>
  changeGroup({ deviceIDs: [...new Set(ids)].slice(0, MOST_DEVICES_OF_A_GROUP), without: draft.without });

/** First step: the devices, from the list by filter, or by their serial numbers. */
export function DeviceStep({ draft }: { draft: GroupDraft }): ReactNode {
  const { t } = useTranslation();
  const [address, setAddress] = useTabQuery();
  const way = address.by === 'sn' ? 'sn' : 'list';
  const count = draft.deviceIDs.length;
  return (
    <GroupFrame step="devices" subtitle={t('setting-screens.many.devicesHint')}>
      <div className={styles.tools}>
        <Select
          label={t('setting-screens.many.kind')}
          value={draft.kind}
          options={kinds.map((kind) => ({ value: kind, label: t(`setting-screens.kind.${kind}`) }))}
          onChange={(chosen) => {
            const kind = deviceKind.options.find((each) => each === chosen);
            if (kind) changeGroup({ kind, deviceIDs: [], without: [] });
          }}
        />
        <Segmented
          label={t('setting-screens.many.how')}
          value={way}
          options={[
            { value: 'list', label: t('setting-screens.many.byList') },
            { value: 'sn', label: t('setting-screens.many.bySn') },
          ]}
          onChange={(by) => setAddress(by === 'sn' ? { step: 'devices', by } : { step: 'devices' })}
        />
      </div>
      {way === 'sn' ? <BySerialNumbers key={draft.kind} draft={draft} /> : <ByList key={draft.kind} draft={draft} />}
      <footer className={styles.next}>
        <strong role="status">{t('setting-screens.many.chosen', { count })}</strong>
        {count > 0 && (
          <Button look="plain" onClick={() => changeGroup({ deviceIDs: [], without: [] })}>
            {t('setting-screens.many.chooseNone')}
          </Button>
        )}
        <Button
          look="filled"
          disabled={count === 0}
          onClick={() => openScreen({ to: 'group-remote', query: { step: 'values' } })}
        >
          {t('setting-screens.many.toValues')}
        </Button>
      </footer>
    </GroupFrame>
  );
}

const shown: readonly ShownField<typeof list>[] = [
  { field: 'deviceSN', card: 'title' },
  { field: 'state', card: 'aside' },
  { field: 'deviceType' },
  { field: 'plantName', card: 'foot' },
  { field: 'powerW', card: 'figure' },
  { field: 'version', cell: ({ version }) => version.master },
];

function ByList({ draft }: { draft: GroupDraft }): ReactNode {
  const { t } = useTranslation();
  const filters = useFilters(list);
  const condition = { ...filters.value.condition, kind: draft.kind };
  const devices = useListAnswer(list, { ...filters, value: { ...filters.value, condition } });
  const columns = useColumns(devices, shown);
  const selection = useDraftSelection(draft, JSON.stringify(condition));
  return (
    <>
      <search className={styles.tools}>
        <ListSearch list={devices} />
        <FieldFilter list={devices} field="state" />
        <AllOfThem devices={devices} draft={draft} />
      </search>
      <DataTable
        list={devices}
        columns={columns}
        selection={selection}
        storedAs="group-devices"
        name={t('setting-screens.many.step.devices')}
      />
    </>
  );
}

/** The chosen devices as rows of the list. They stay chosen whatever the filter shows. */
function useDraftSelection(draft: GroupDraft, filter: string): Selection {
  const seen = useRef(filter);
  useEffect(() => {
    seen.current = filter;
  }, [filter]);
  return {
    keys: new Set(draft.deviceIDs),
    set: (keys) => withDevices(draft, keys),
    clear: () => {
      if (seen.current === filter) withDevices(draft, []);
    },
  };
}

const PAGE = 50;

/** Chooses all devices that the filter finds, page by page, up to as many as a group may have. */
function AllOfThem({ devices, draft }: { devices: List<typeof list>; draft: GroupDraft }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [read, setRead] = useState<number>();
  const total = Math.min(devices.total ?? 0, MOST_DEVICES_OF_A_GROUP);
  const choose = async () => {
    const ids = new Set(draft.deviceIDs);
    setRead(0);
    try {
      for (let currentPage = 1; (currentPage - 1) * PAGE < total; currentPage += 1) {
        const answer = await call(list, { ...devices.value, currentPage, pageSize: PAGE });
        for (const { deviceID } of answer.devices) ids.add(deviceID);
        setRead(Math.min(total, currentPage * PAGE));
      }
      withDevices(draft, ids);
    } finally {
      setRead(undefined);
    }
  };
  if (total === 0) return null;
  return (
    <Button
      disabled={read !== undefined}
      onClick={() =>
        void choose().catch(() => {
          // The client has said it; what was chosen before stays.
        })
      }
    >
      {read === undefined
        ? t('setting-screens.many.chooseAll', { count: total })
        : t('setting-screens.many.choosing', { number: format.number(read), total: format.number(total) })}
    </Button>
  );
}

function BySerialNumbers({ draft }: { draft: GroupDraft }): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [told, setTold] = useState<{ found: number; missing: readonly string[] }>();
  const sns = serialNumbersIn(text);
  const isTooMany = sns.length > MOST_DEVICES_OF_A_GROUP;
  const find = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { found, missing } = await call(findDevices, { kind: draft.kind, sns }, { inPlace: true });
      withDevices(draft, [...draft.deviceIDs, ...found.map(({ deviceID }) => deviceID)]);
      setTold({ found: found.length, missing });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title={t('setting-screens.many.bySn')}>
      <div className={styles.bySn}>
        <label htmlFor={id} className={fields.label}>
          {t('setting-screens.many.snHint')}
        </label>
        <textarea
          id={id}
          className={fields.area}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {isTooMany && (
          <p className={fields.error} role="status">
            {t('setting-screens.many.tooMany', { count: MOST_DEVICES_OF_A_GROUP })}
          </p>
        )}
        <Button disabled={busy || sns.length === 0 || isTooMany} onClick={() => void find()}>
          {t('setting-screens.many.find', { count: sns.length })}
        </Button>
        {failure !== undefined && <ErrorNotice error={failure} />}
        <div role="status">
          {told && <p>{t('setting-screens.many.found', { count: told.found })}</p>}
          {told && told.missing.length > 0 && (
            <p className={fields.error}>
              {t('setting-screens.many.missing', { count: told.missing.length, sns: told.missing.join(', ') })}
            </p>
          )}
        </div>
      </div>
    </Panel>
  );
}
