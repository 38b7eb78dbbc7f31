import { preview } from '@sonnenwarte/contract/remote-settings/group-remote';
import {
  accept,
  cancel,
  read as readSettings,
  restore,
  revert,
  write,
} from '@sonnenwarte/contract/remote-settings/remote-settings';
import type { SettingChange, SettingGroup, SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { read, useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { showNotice } from '../notices/notices.ts';
import type { Edit, Edits, OwnEdits } from './edits.ts';
import { beginGroup } from './group-draft.ts';
import { type Preset, type PresetOffer, PresetsDialog } from './presets-dialog.tsx';
import { type RowActs, wantedOf } from './setting-row.tsx';
import { useSettingTexts } from './use-setting-text.ts';
import type { SettingsView } from './use-settings.ts';
import { isSameValue, refusalOf, seenOf } from './values.ts';
import { WriteDialog, type Written } from './write-dialog.tsx';

type Opened =
  | { readonly what: 'write' | 'presets' }
  | { readonly what: 'restore'; readonly row: SettingRow }
  | { readonly what: 'revert'; readonly change: SettingChange; readonly row: SettingRow };

interface ActsOptions {
  view: SettingsView;
  own: OwnEdits;
  group: SettingGroup | undefined;
  timeZone: string;
  /** Own edits that a command took along. */
  onSent: (commandID: string, edits: Edits) => void;
  /** A dialog has closed because settings were written: the first of them. */
  onWritten: (name: string) => void;
}

interface SettingActs {
  busy: boolean;
  rows: Omit<RowActs, 'show'>;
  readAll: () => void;
  copy: () => void;
  openWrite: () => void;
  openPresets: () => void;
  openRevert: (change: SettingChange, row: SettingRow) => void;
  dialogs: ReactNode;
}

/** What can be done with the settings of a device, with the dialogs in which it is confirmed. */
export function useSettingActs({ view, own, group, timeZone, onSent, onWritten }: ActsOptions): SettingActs {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Opened>();
  const reading = useWrite(readSettings);
  const accepting = useWrite(accept);
  const cancelling = useWrite(cancel);
  const { subject, settings } = view;
  const id = subject.subjectID;
  const close = () => setOpened(undefined);

  const setEdit = (row: SettingRow, value: Edit['value']) => own.set(row.rule.name, { value, basedOn: row.reported });

  const applied = ({ name, values }: Preset) => {
    let filled = 0;
    for (const { rule, value } of values) {
      const row = settings.find((each) => each.rule.name === rule.name);
      if (!row?.can.write || row.blockedBy !== null || refusalOf(row.rule, value) !== undefined) continue;
      filled += 1;
      if (isSameValue(value, wantedOf(row))) own.set(row.rule.name, undefined);
      else setEdit(row, value);
    }
    const text = t('setting-screens.preset.applied', { name, number: filled, count: values.length });
    showNotice({ id: 'preset-applied', text, color: filled < values.length ? 'yellow' : 'brand' });
  };

  return {
    busy: reading.isPending || accepting.isPending || cancelling.isPending,
    rows: {
      edit: (row, edit) => own.set(row.rule.name, edit),
      restore: (row) => setOpened({ what: 'restore', row }),
      accept: (row) => accepting.mutate({ id, values: seenOf(row) }),
      cancel: ({ command }) => {
        if (command) cancelling.mutate({ id, commandID: command.commandID });
      },
      again: (row) => {
        const tried = view.commands.find(({ commandID }) => commandID === row.command?.commandID);
        const value = tried?.content.values?.[row.rule.name] ?? row.desired;
        if (value !== null && value !== undefined) setEdit(row, value);
      },
      read: (row) => reading.mutate({ id, names: [row.rule.name] }),
    },
    readAll: () => reading.mutate({ id }),
    copy: () => {
      if (subject.kind === 'logger') return;
      beginGroup(subject.kind, copiedOf(settings, own, group));
      openScreen({ to: 'group-remote', query: { step: 'devices' } });
    },
    openWrite: () => setOpened({ what: 'write' }),
    openPresets: () => setOpened({ what: 'presets' }),
    openRevert: (change, row) => setOpened({ what: 'revert', change, row }),
    dialogs: opened && <Dialogs {...{ view, own, group, timeZone, onSent, onWritten, opened, close, applied }} />,
  };
}

/** What is copied to other devices: the own edits, or else what the device has of the group that is shown. */
function copiedOf(settings: readonly SettingRow[], own: OwnEdits, group: SettingGroup | undefined) {
  const edited = editedOf(settings, own).map(({ rule, to }) => [rule.name, to] as const);
  const shown = settings.flatMap(({ rule, reported, can }) =>
    rule.group === group && can.write && reported !== null ? [[rule.name, reported] as const] : [],
  );
  return Object.fromEntries(edited.length > 0 ? edited : shown);
}

const editedOf = (settings: readonly SettingRow[], own: OwnEdits): Written[] =>
  settings.flatMap(({ rule, reported, reportedMs }) => {
    const value = own.edits[rule.name]?.value ?? null;
    return value === null ? [] : [{ rule, from: reported, fromMs: reportedMs, to: value }];
  });

interface DialogsProps extends ActsOptions {
  opened: Opened;
  close: () => void;
  applied: (preset: Preset) => void;
}

function Dialogs(props: DialogsProps): ReactNode {
  const { view, own, group, timeZone, onSent, onWritten, opened, close, applied } = props;
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const writing = useWrite(write, { inPlace: true });
  const restoring = useWrite(restore, { inPlace: true });
  const reverting = useWrite(revert, { inPlace: true });
  const { subject, settings } = view;
  const id = subject.subjectID;
  const edited = editedOf(settings, own);
  const common = {
    typed: { text: subject.subjectSN, ask: t('setting-screens.write.typeSN') },
    timeZone,
    onClose: close,
  };
  switch (opened.what) {
    case 'presets': {
      const groupValues = settings.flatMap(({ rule, reported, can }) =>
        rule.group === group && can.write && reported !== null ? [{ rule, value: reported }] : [],
      );
      const offers: PresetOffer[] = [
        {
          key: 'edits',
          label: t('setting-screens.preset.ownEdits'),
          values: edited.map(({ rule, to }) => ({ rule, value: to })),
        },
        { key: 'group', label: t('setting-screens.preset.shownGroup'), values: groupValues },
      ];
      return (
        <PresetsDialog kind={subject.kind} offers={offers} timeZone={timeZone} onApply={applied} onClose={close} />
      );
    }
    case 'write': {
      const isDangerous = edited.some(({ rule }) => rule.isDangerous);
      return (
        <WriteDialog
          {...common}
          title={isDangerous ? t('setting-screens.write.dangerous') : t('setting-screens.write.title')}
          label={t('setting-screens.write.write', { count: edited.length })}
          changes={edited}
          alsoChanges={blockedText(
            edited,
            settings,
            (names) => t('setting-screens.write.blocks', { names }),
            texts.label,
          )}
          {...(subject.kind !== 'logger' && { consequence: <Consequence id={id} changes={edited} /> })}
          onWrite={async (confirmation, requestID) => {
            const values = edited.map(({ rule, to, from }) => ({ name: rule.name, value: to, basedOn: from }));
            const { commandID } = await writing.mutateAsync({ id, values, confirmation, requestID });
            const names = edited.map(({ rule }) => rule.name);
            onSent(commandID, Object.fromEntries(Object.entries(own.edits).filter(([name]) => names.includes(name))));
            own.drop(names);
          }}
          onWritten={() => onWritten(edited[0]?.rule.name ?? '')}
        />
      );
    }
    case 'restore': {
      const { rule, reported, reportedMs, desired } = opened.row;
      if (desired === null) return null;
      return (
        <WriteDialog
          {...common}
          title={t('setting-screens.write.restore')}
          label={t('setting-screens.act.restore')}
          changes={[{ rule, from: reported, fromMs: reportedMs, to: desired }]}
          onWrite={(confirmation) => restoring.mutateAsync({ id, names: [rule.name], confirmation })}
          onWritten={() => onWritten(rule.name)}
        />
      );
    }
    default: {
      const { row, change } = opened;
      if (change.from === null) return null;
      return (
        <WriteDialog
          {...common}
          title={t('setting-screens.write.revert')}
          label={t('setting-screens.act.restore')}
          changes={[{ rule: row.rule, from: row.reported, fromMs: row.reportedMs, to: change.from }]}
          onWrite={(confirmation) => reverting.mutateAsync({ id, changeID: change.changeID, confirmation })}
          onWritten={() => onWritten(row.rule.name)}
        />
      );
    }
  }
}

/** Settings that a changed one keeps from being written, or from having an effect. */
function blockedText(
  edited: readonly Written[],
  settings: readonly SettingRow[],
  say: (names: string) => string,
  label: (rule: SettingRow['rule']) => string,
): string {
  const names = edited.map(({ rule }) => rule.name);
  const blocked = settings.filter(({ blockedBy }) => blockedBy !== null && names.includes(blockedBy.name));
  return blocked.length === 0 ? '' : say(blocked.map(({ rule }) => label(rule)).join(', '));
}

/** What the change costs a day, reckoned from the last 30 days of the device itself. */
function Consequence({ id, changes }: { id: string; changes: readonly Written[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const values = changes.map(({ rule, to }) => ({ name: rule.name, value: to }));
  const { data, error } = useQuery(read(preview, { deviceIDs: [id], values }, { quiet: true }));
  if (error) return t('setting-screens.cost.unknown');
  const row = data?.rows[0];
  if (!row) return t('setting-screens.cost.reckoning');
  if (row.costWhPerDay === null) return t('setting-screens.cost.unknown');
  if (Math.abs(row.costWhPerDay) < 1) return t('setting-screens.cost.none');
  const money = row.costPerDay === null ? '' : ` (${format.money(String(row.costPerDay), row.currency)})`;
  return t('setting-screens.cost.perDay', { energy: `${format.energy(row.costWhPerDay)}${money}` });
}
