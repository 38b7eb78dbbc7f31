import { type Command, isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { SettingRow } from '@sonnenwarte/contract/remote-settings/setting';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import styles from './command-panel.module.css';
import { awaitedSinceMs, MOST_TRIES, type Step, shownCommand, stepsOf } from './command-steps.ts';
import { failureWords } from './failure-words.ts';
import { useSettingTexts } from './use-setting-text.ts';
import { ChangeText } from './value-text.tsx';
import { exactTime } from './when.ts';

export interface CommandPanelProps {
  commands: readonly Command[];
  rows: readonly SettingRow[];
  timeZone: string;
}

/** The command that is under way, or was lately, as four steps with their times, and what comes next. */
export function CommandPanel({ commands, rows, timeZone }: CommandPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const command = shownCommand(commands);
  if (command === undefined) return null;
  const { commandID, orderedBy, expiresMs, tries, state } = command;
  const isOpen = isOpenCommand(state);
  const others = commands.filter((each) => each !== command && isOpenCommand(each.state)).length;
  const facts = [
    orderedBy === '' ? t('setting-screens.byPortal') : orderedBy,
    ...(isOpen ? [t('setting-screens.command.expires', { time: format.time(expiresMs, timeZone) })] : []),
    ...(tries > 0 ? [t('setting-screens.command.tries', { number: tries, total: Math.max(tries, MOST_TRIES) })] : []),
  ];
  return (
    <Panel
      title={t(isOpen ? 'setting-screens.command.underWay' : 'setting-screens.command.last')}
      actions={<SupportId id={commandID} />}
    >
      <div className={styles.command} aria-live="polite">
        <div>
          <h3>
            <What command={command} rows={rows} />
          </h3>
          <p>{facts.join(' · ')}</p>
        </div>
        <ol className={styles.steps}>
          {stepsOf(command).map((step) => (
            <StepLine key={step.name} step={step} command={command} rows={rows} timeZone={timeZone} />
          ))}
        </ol>
        {others > 0 && <p>{t('setting-screens.command.others', { count: others })}</p>}
      </div>
    </Panel>
  );
}

/** What a command does, in one line: "Export limit 15.0 → 17.0 kW". */
function What({ command, rows }: { command: Command; rows: readonly SettingRow[] }): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const { kind, content, before } = command;
  if (kind === 'read') return t('setting-screens.command.read');
  if (kind === 'action') return content.action ? t(`setting-screens.action.${content.action}`) : '';
  return Object.entries(content.values ?? {}).map(([name, value], at) => {
    const rule = rows.find((row) => row.rule.name === name)?.rule;
    return (
      <Fragment key={name}>
        {at > 0 && ', '}
        {rule ? texts.label(rule) : name}
        {rule && (
          <>
            {' '}
            <ChangeText rule={rule} from={before[name] ?? null} to={value} />
          </>
        )}
      </Fragment>
    );
  });
}

/** What a datalogger shows by connecting again. */
const isReturning = ({ kind }: Command): boolean => kind === 'action';

interface StepLineProps {
  step: Step;
  command: Command;
  rows: readonly SettingRow[];
  timeZone: string;
}

function StepLine({ step, command, rows, timeZone }: StepLineProps): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const { locale } = useFormat();
  const { name, state, atMs } = step;
  return (
    <li data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <b>{t(`setting-screens.step.${state === 'bad' ? 'ended' : name}`)}</b>{' '}
      {atMs !== null && <span className={styles.time}>{exactTime(atMs, timeZone, locale)}</span>}
      {state === 'now' && <Waiting command={command} step={name} />}
      {state === 'bad' && <p>{failureWords(t, command, texts.labelsOf(command, rows))}</p>}
      {state === 'done' && name === 'sent' && <p>{t('setting-screens.step.toDatalogger')}</p>}
      {name === 'confirmed' && state === 'todo' && (
        <p>{t(isReturning(command) ? 'setting-screens.step.byReturn' : 'setting-screens.step.byReading')}</p>
      )}
    </li>
  );
}

function Waiting({ command, step }: { command: Command; step: Step['name'] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const nowMs = useNow(1_000);
  const age = format.seconds(Math.max(0, Math.round((nowMs - awaitedSinceMs(command)) / 1_000)));
  const next =
    step === 'sent'
      ? command.waitsFor === 'device'
        ? t('setting-screens.next.offline')
        : command.waitsFor === 'turn'
          ? t('setting-screens.next.turn')
          : t('setting-screens.next.queued')
      : step === 'confirmed'
        ? t(isReturning(command) ? 'setting-screens.next.returns' : 'setting-screens.next.confirmed')
        : t('setting-screens.next.answer');
  return (
    <>
      <span className={styles.since} aria-hidden="true">
        {t('setting-screens.since', { age })}
      </span>
      <p>{next}</p>
    </>
  );
}

/** The number by which support finds a command; a click takes it along. */
function SupportId({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const Sign = copied ? IconCheck : IconCopy;
  return (
    <button
      type="button"
      className={styles.id}
      title={id}
      onClick={() =>
        void navigator.clipboard?.writeText(id).then(
          () => setCopied(true),
          () => undefined,
        )
      }
    >
      <span aria-hidden="true" title={id}>
        {id}
      </span>
      <span className="visually-hidden">{t('setting-screens.command.copyId', { id })}</span>
      <Sign size={13} aria-hidden="true" />
    </button>
  );
}
