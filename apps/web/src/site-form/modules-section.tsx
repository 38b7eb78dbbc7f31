import { MOST_CLAIMED_MODULES } from '@sonnenwarte/contract/site-form/claimed-modules';
import { IconPlus, IconRefresh } from '@tabler/icons-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useId,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import fields from '../blocks/form/fields.module.css';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Button } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import type { ScanFailure } from './code-scanner.tsx';
import { type ModuleChecks, mayHaveChanged, type RowCheck } from './module-checks.ts';
import { ModuleRow, RowMark } from './module-row.tsx';
import styles from './modules-section.module.css';
import { inGroups, type ModuleValues, modulesIn } from './pasted-modules.ts';
import type { SiteForm } from './sections.ts';
import { noModule, type SiteRecord } from './site-values.ts';

type Mode = 'type' | 'paste' | 'scan';

/** Comes when somebody scans. */
const CodeScanner = lazy(async () => ({ default: (await import('./code-scanner.tsx')).CodeScanner }));

interface ModulesSectionProps {
  form: SiteForm;
  of: ModuleChecks;
  /** Those that the plant has. */
  linked: SiteRecord['modules'];
}

/** The dataloggers of the plant: typed, pasted or scanned, each checked by itself. */
export function ModulesSection({ form, of: { checks, again }, linked }: ModulesSectionProps): ReactNode {
  const { t } = useTranslation();
  const [mode, setMode] = useState<Mode>(form.values.pasted === '' ? 'type' : 'paste');
  const [failure, setFailure] = useState<ScanFailure>();
  const rows = form.rowsOf('modules');
  const isRight = rows.length > 0 && checks.every(({ state }) => state !== 'wrong');
  const error = isRight ? undefined : form.errorOf('modules');
  const add = (modules: readonly ModuleValues[]) => addModules(form, modules);
  const canRetry = checks.some((check) => mayHaveChanged(noModule, check));
  return (
    <div className={styles.section}>
      <Linked modules={linked} />
      <Segmented
        label={t('site-form.module.how')}
        value={mode}
        onChange={(next) => {
          setMode(next);
          setFailure(undefined);
        }}
        options={[
          { value: 'type', label: t('site-form.module.type') },
          { value: 'paste', label: t('site-form.module.paste') },
          { value: 'scan', label: t('site-form.module.scan') },
        ]}
      />
      {failure !== undefined && (
        <p className={styles.told} data-state="unread" role="alert">
          {t(`site-form.scan.${failure}`)}
        </p>
      )}
      {mode === 'type' && <Entry form={form} onAdd={add} />}
      {mode === 'paste' && <PasteBox form={form} onAdd={add} />}
      {mode === 'scan' && (
        <Suspense fallback={<p className={styles.hint}>{t('site-form.scan.starting')}</p>}>
          <CodeScanner
            modules={form.values.modules}
            onFound={(module) => add([module])}
            onEnd={() => setMode('type')}
            onFailure={(reason) => {
              setFailure(reason);
              setMode('type');
            }}
          />
        </Suspense>
      )}
      {rows.length > 0 && (
        <ul className={styles.rows} aria-label={t('site-form.section.modules')}>
          {rows.map(({ key }, at) => (
            <ModuleRow key={key} form={form} at={at} check={checks[at] ?? { state: 'waiting' }} />
          ))}
        </ul>
      )}
      {canRetry && (
        <div>
          <Button small onClick={() => again(mayHaveChanged)}>
            <IconRefresh size={16} aria-hidden="true" /> {t('site-form.module.checkAgain')}
          </Button>
        </div>
      )}
      {error !== undefined && (
        <p className={fields.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Adds entered dataloggers to the list; what is entered twice is, too, and said there. */
export function addModules(form: SiteForm, modules: readonly ModuleValues[]): void {
  const at = form.values.modules.length;
  const wanted = modules.filter(({ sn }) => sn !== '').slice(0, Math.max(0, MOST_CLAIMED_MODULES - at));
  for (const [index, module] of wanted.entries()) form.insertRow('modules', at + index, module);
}

/** What was typed and not yet added. */
export const typedModule = ({ entry }: SiteForm['values']): ModuleValues => ({
  sn: entry.sn.replaceAll(/\s/g, ''),
  key: entry.key.trim(),
});

interface EntryProps {
  form: SiteForm;
  onAdd: (modules: readonly ModuleValues[]) => void;
}

function Entry({ form, onAdd }: EntryProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const serial = useRef<HTMLInputElement>(null);
  const { entry } = form.values;
  const add = () => {
    const typed = typedModule(form.values);
    if (typed.sn === '') return serial.current?.focus();
    onAdd([typed]);
    form.setValue('entry', noModule);
    serial.current?.focus();
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    const found = modulesIn(text);
    if (!/[\n\r]/.test(text.trim()) || found.length === 0) return;
    event.preventDefault();
    onAdd(found);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    add();
  };
  return (
    <div className={styles.entry}>
      <div className={fields.field}>
        <label htmlFor={`${id}-sn`} className={fields.label}>
          {t('site-form.field.sn')}
        </label>
        <input
          ref={serial}
          id={`${id}-sn`}
          className={fields.input}
          name="entry.sn"
          inputMode="numeric"
          autoComplete="off"
          placeholder={t('site-form.module.snPlaceholder')}
          value={entry.sn}
          onPaste={onPaste}
          onKeyDown={onKeyDown}
          onChange={(event) => form.setValue('entry.sn', event.currentTarget.value)}
        />
      </div>
      <div className={fields.field}>
        <label htmlFor={`${id}-key`} className={fields.label}>
          {t('site-form.field.key')}
        </label>
        <input
          id={`${id}-key`}
          className={fields.input}
          name="entry.key"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={entry.key}
          onKeyDown={onKeyDown}
          onChange={(event) => form.setValue('entry.key', event.currentTarget.value)}
        />
      </div>
      <Button onClick={add}>
        <IconPlus size={16} aria-hidden="true" /> {t('site-form.module.add')}
      </Button>
      <p className={styles.hint}>{t('site-form.module.keyHint')}</p>
    </div>
  );
}

function PasteBox({ form, onAdd }: EntryProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const { pasted } = form.values;
  const found = modulesIn(pasted);
  return (
    <div className={styles.paste}>
      <label htmlFor={id} className={fields.label}>
        {t('site-form.module.list')}
      </label>
      <span id={`${id}-hint`} className={fields.hint}>
        {t('site-form.module.listHint')}
      </span>
      <textarea
        id={id}
        className={fields.area}
        name="pasted"
        rows={5}
        aria-describedby={`${id}-hint`}
        value={pasted}
        onChange={(event) => form.setValue('pasted', event.currentTarget.value)}
      />
      <div>
        <Button
          disabled={found.length === 0}
          onClick={() => {
            onAdd(found);
            form.setValue('pasted', '');
          }}
        >
          <IconPlus size={16} aria-hidden="true" />{' '}
          {t('site-form.module.addAll', { number: format.number(found.length) })}
        </Button>
      </div>
    </div>
  );
}

function Linked({ modules }: { modules: SiteRecord['modules'] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (modules.length === 0) return null;
  return (
    <ul className={styles.rows} aria-label={t('site-form.module.linked')}>
      {modules.map(({ sn, type, devices }) => (
        <li key={sn} className={styles.row}>
          <RowMark state="ready" />
          <div className={styles.words}>
            <strong>{inGroups(sn)}</strong>
            <span>
              {[type, t('site-form.module.devices', { number: format.number(devices) })].filter(Boolean).join(' · ')}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What there is of entered dataloggers, in numbers. */
export function ModuleCounts({ checks }: { checks: readonly RowCheck[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const count = (state: RowCheck['state']) => checks.filter((check) => check.state === state).length;
  const wrong = count('wrong');
  if (checks.length === 0) return null;
  const parts = [
    t('site-form.module.count.entered', { number: format.number(checks.length) }),
    t('site-form.module.count.ready', { number: format.number(count('ready')) }),
    ...(count('waiting') > 0 ? [t('site-form.module.count.waiting', { number: format.number(count('waiting')) })] : []),
  ];
  return (
    <span role="status">
      {parts.join(' · ')}
      {wrong > 0 && (
        <strong className={styles.wrong}> · {t('site-form.wrong', { number: format.number(wrong) })}</strong>
      )}
    </span>
  );
}
