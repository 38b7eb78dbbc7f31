import type { DeviceKind } from '@sonnenwarte/contract/devices/device';
import { IconCircleCheck, IconCircleX, IconLoader2, IconTrash } from '@tabler/icons-react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { IconButton } from '../blocks/show/button.tsx';
import { useErrorText } from '../blocks/show/error-notice.tsx';
import { ApiError } from '../client/failures.ts';
import { useFormat } from '../format/use-format.ts';
import type { RowCheck } from './module-checks.ts';
import styles from './modules-section.module.css';
import { inGroups } from './pasted-modules.ts';
import type { SiteForm } from './sections.ts';

interface ModuleRowProps {
  form: SiteForm;
  at: number;
  check: RowCheck;
}

/** How a row stands, as a shape; its words stand beside it. */
export function RowMark({ state }: { state: RowCheck['state'] }): ReactNode {
  const Icon = state === 'ready' ? IconCircleCheck : state === 'waiting' ? IconLoader2 : IconCircleX;
  return <Icon size={20} className={styles.mark} data-state={state} aria-hidden="true" />;
}

/** Takes a row out of the list. */
function RemoveRow({ name, onRemove }: { name: string; onRemove: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <IconButton aria-label={`${t('blocks.rows.remove')}: ${name}`} onClick={onRemove}>
      <IconTrash size={18} aria-hidden="true" />
    </IconButton>
  );
}

/** An entered datalogger: what is behind it, or what is wrong with it and the fields to put it right. */
export function ModuleRow({ form, at, check }: ModuleRowProps): ReactNode {
  const row = form.values.modules[at] ?? { sn: '', key: '' };
  const refused = form.errorOf(`modules.${at}.sn`) ?? form.errorOf(`modules.${at}.key`);
  const wrong = check.state === 'wrong' || refused !== undefined;
  const [editing, setEditing] = useState(false);
  if (wrong && !editing) setEditing(true);
  if (!wrong && editing && check.state === 'ready') setEditing(false);
  const item = useRef<HTMLLIElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (editing || !hadFocus.current) return;
    hadFocus.current = false;
    item.current?.querySelector('button')?.focus();
  }, [editing]);
  const state = wrong ? 'wrong' : check.state;
  return (
    <li
      ref={item}
      className={styles.row}
      data-state={state}
      onFocus={() => {
        hadFocus.current = editing;
      }}
      onBlur={() => {
        hadFocus.current = false;
      }}
    >
      <RowMark state={state} />
      <div className={styles.words}>
        {editing ? <RowFields form={form} at={at} wrong={wrong} /> : <strong>{inGroups(row.sn)}</strong>}
        <span id={`module-${at}-state`} className={styles.told} data-state={state}>
          {check.state !== 'wrong' && refused !== undefined ? refused : <RowWords check={check} />}
        </span>
      </div>
      <RemoveRow name={inGroups(row.sn)} onRemove={() => form.removeRow('modules', at)} />
    </li>
  );
}

/** Serial number and key of a row that was refused; taken over with Enter, or when the fields are left. */
function RowFields({ form, at, wrong }: { form: SiteForm; at: number; wrong: boolean }): ReactNode {
  const { t } = useTranslation();
  const row = form.values.modules[at] ?? { sn: '', key: '' };
  const [typed, setTyped] = useState(row);
  const take = () => {
    const next = { sn: typed.sn.replaceAll(/\s/g, ''), key: typed.key.trim() };
    if (next.sn !== row.sn || next.key !== row.key) form.setValue(`modules.${at}`, next);
  };
  const onBlur = (event: FocusEvent) => {
    if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) take();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    take();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notices that its fields are left
    <div className={styles.rowFields} onBlur={onBlur}>
      <input
        className={fields.input}
        aria-label={t('site-form.field.sn')}
        aria-invalid={wrong || undefined}
        aria-describedby={`module-${at}-state`}
        inputMode="numeric"
        autoComplete="off"
        value={typed.sn}
        onKeyDown={onKeyDown}
        onChange={(event) => setTyped({ ...typed, sn: event.currentTarget.value })}
      />
      <input
        className={fields.input}
        aria-label={t('site-form.field.key')}
        placeholder={t('site-form.field.key')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={typed.key}
        onKeyDown={onKeyDown}
        onChange={(event) => setTyped({ ...typed, key: event.currentTarget.value })}
      />
    </div>
  );
}

function RowWords({ check }: { check: RowCheck }): ReactNode {
  const { t } = useTranslation();
  switch (check.state) {
    case 'waiting':
      return t('site-form.module.waiting');
    case 'unread':
      return t('site-form.module.unread');
    case 'ready':
      return <ReadyWords check={check} />;
    case 'wrong':
      return <WrongWords check={check} />;
  }
}

function ReadyWords({ check }: { check: Extract<RowCheck, { state: 'ready' }> }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const kinds = Map.groupBy(check.devices, ({ kind }) => kind);
  const devices = [...kinds]
    .map(([kind, found]) => `${format.number(found.length)} × ${t(`sites.kind.${kind as DeviceKind}`)}`)
    .join(', ');
  return [check.type, devices === '' ? t('site-form.module.nothingBehind') : t('site-form.module.behind', { devices })]
    .filter((text) => text !== '')
    .join(' · ');
}

/** The specification's message, with the row it clashes with or until when the number is locked. */
function WrongWords({ check }: { check: Extract<RowCheck, { state: 'wrong' }> }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const text = useErrorText(new ApiError(check.errno, '', {}));
  const { clashesWith, lockedUntilMs } = check;
  return [
    text,
    clashesWith !== undefined && t('site-form.module.sameAs', { row: clashesWith + 1 }),
    lockedUntilMs !== undefined && t('site-form.module.lockedUntil', { time: format.localTime(lockedUntilMs) }),
  ]
    .filter((each) => each !== false)
    .join(' · ');
}
