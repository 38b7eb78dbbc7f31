import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { SettingRow, SettingRule } from '@sonnenwarte/contract/remote-settings/setting';
import {
  type Icon,
  IconAlertTriangle,
  IconArrowsDiff,
  IconCheck,
  IconClock,
  IconEye,
  IconHourglass,
  IconKeyboard,
  IconLock,
  IconPencil,
  IconQuestionMark,
  IconSend,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../blocks/show/badge.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { hasScreen } from '../screens.ts';
import type { Edit } from './edits.ts';
import { failureReason, failureWords } from './failure-words.ts';
import { type RowStatus, type RowWord, statusOf } from './row-status.ts';
import { SettingField } from './setting-field.tsx';
import styles from './setting-row.module.css';
import { useKeptFocus } from './use-kept-focus.ts';
import { useSettingTexts } from './use-setting-text.ts';
import { ValueText } from './value-text.tsx';
import { dayOrTime } from './when.ts';

/** What can be done at a row. */
export interface RowActs {
  edit: (row: SettingRow, edit: Edit | undefined) => void;
  restore: (row: SettingRow) => void;
  accept: (row: SettingRow) => void;
  cancel: (row: SettingRow) => void;
  again: (row: SettingRow) => void;
  read: (row: SettingRow) => void;
  show: (name: string) => void;
}

interface SettingRowProps {
  row: SettingRow;
  edit: Edit | undefined;
  timeZone: string;
  mayWrite: boolean;
  /** Its history stands beside. */
  isShown: boolean;
  busy: boolean;
  /** What blocks it is among the own edits, so that both are written together. */
  isFreed: boolean;
  acts: RowActs;
}

/** What a setting is meant to be, as its field shows it while nothing is edited. */
export const wantedOf = ({ desired, reported }: SettingRow) => desired ?? reported;

/** A setting: its name and bounds, what the device says, what is wanted, and how that stands, with the one thing to do. */
export function SettingRowLine(props: SettingRowProps): ReactNode {
  const { row, edit, timeZone, mayWrite, isShown, isFreed, acts } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const texts = useSettingTexts();
  const { rule, reported, reportedMs } = row;
  const status = statusOf(row, edit);
  const isBlocked = row.blockedBy !== null && !isFreed;
  const bounds = rule.form === 'number' ? texts.bounds(rule) : '';
  const meaning = texts.meaning(rule);
  const about = [bounds, meaning].filter((each) => each !== '').join(' · ');
  const isOverwritten = edit !== undefined && JSON.stringify(edit.basedOn) !== JSON.stringify(reported);
  return (
    <li className={styles.row} data-word={status.word} data-setting={rule.name}>
      <div className={styles.name}>
        <button
          type="button"
          aria-pressed={isShown}
          title={t('setting-screens.showHistory')}
          onClick={() => acts.show(rule.name)}
        >
          {texts.label(rule)}
        </button>
        {about !== '' && <p>{about}</p>}
      </div>
      <div className={styles.said}>
        <span className={styles.phoneLabel}>{t('setting-screens.deviceSays')}</span>
        <Said rule={rule} value={reported} />
        <small>
          {reportedMs === null
            ? t('setting-screens.neverRead')
            : t('setting-screens.readAt', { time: dayOrTime(reportedMs, timeZone, format) })}
        </small>
      </div>
      <div className={styles.wanted}>
        <span className={styles.phoneLabel}>{t('setting-screens.wanted')}</span>
        {rule.name === 'Setting/Schedule' ? (
          <Schedule row={row} />
        ) : (
          <SettingField
            rule={rule}
            wanted={wantedOf(row)}
            reported={reported}
            edit={edit}
            disabled={!mayWrite || !row.can.write || isBlocked}
            onEdit={(next) => acts.edit(row, next)}
          />
        )}
        {isOverwritten && (
          <small className={styles.overwritten}>
            {t('setting-screens.changedMeanwhile', { value: texts.value(rule, reported) })}
          </small>
        )}
      </div>
      <State {...props} status={status} />
    </li>
  );
}

function Said({ rule, value }: { rule: SettingRule; value: SettingValue | null }): ReactNode {
  const texts = useSettingTexts();
  if (texts.isSpelledOut(rule, value)) {
    return (
      <strong data-ages data-words>
        <ValueText rule={rule} value={value} stacked />
      </strong>
    );
  }
  const { amount, unit } = texts.parts(rule, value);
  return (
    <strong data-ages data-words={rule.form === 'choice' || rule.form === 'text' || undefined}>
      {amount}
      {unit !== '' && <small>{`\u00a0${unit}`}</small>}
    </strong>
  );
}

/** A schedule is drawn and edited with the work mode; here stands how many periods it has. */
function Schedule({ row }: { row: SettingRow }): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  return (
    <span className={styles.elsewhere}>
      {texts.value(row.rule, wantedOf(row))}
      {hasScreen('work-model') && <ScreenLink to="work-model">{t('setting-screens.inWorkMode')}</ScreenLink>}
    </span>
  );
}

interface StateProps extends SettingRowProps {
  status: RowStatus;
}

/** How it stands and what to do; an act that was done leaves the focus to what came of it. */
function State(props: StateProps): ReactNode {
  const { status, busy } = props;
  const kept = useKeptFocus<HTMLDivElement>(`${status.word} ${String(busy)}`);
  return (
    <div {...kept} className={styles.state}>
      <StateOf {...props} />
      <WhatToDo {...props} />
    </div>
  );
}

const icons: Readonly<Record<RowWord, Icon>> = {
  drifted: IconArrowsDiff,
  queued: IconHourglass,
  sent: IconSend,
  acknowledged: IconSend,
  refused: IconX,
  differs: IconAlertTriangle,
  timedOut: IconClock,
  expired: IconClock,
  outside: IconAlertTriangle,
  unwritable: IconAlertTriangle,
  unwritten: IconPencil,
  blocked: IconLock,
  readOnly: IconEye,
  level: IconLock,
  typing: IconKeyboard,
  confirmed: IconCheck,
  told: IconEye,
  neverRead: IconQuestionMark,
};

function StateOf({ status, row, timeZone }: StateProps): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const format = useFormat();
  const Sign = icons[status.word];
  const { word, atMs } = status;
  const time = atMs === null ? '' : dayOrTime(atMs, timeZone, format);
  const code = row.command?.code ?? null;
  return (
    <Badge tone={status.tone}>
      <Sign size={13} aria-hidden="true" />
      {(word === 'sent' || word === 'queued' || word === 'acknowledged') && atMs !== null ? (
        <Since word={word} atMs={atMs} />
      ) : word === 'refused' && code !== null ? (
        t('setting-screens.status.refusedCode', { code })
      ) : (
        t(`setting-screens.status.${word}`, { time, bounds: word === 'outside' ? texts.bounds(row.rule) : '' })
      )}
    </Badge>
  );
}

function Since({ word, atMs }: { word: 'sent' | 'queued' | 'acknowledged'; atMs: number }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const nowMs = useNow(1_000);
  return t(`setting-screens.status.${word}Since`, {
    age: format.seconds(Math.max(0, Math.round((nowMs - atMs) / 1_000))),
  });
}

function WhatToDo({ row, edit, status, mayWrite, busy, acts }: StateProps): ReactNode {
  const { t } = useTranslation();
  const texts = useSettingTexts();
  const act = (label: string, onClick: () => void) => (
    <button type="button" className={styles.act} disabled={busy} onClick={onClick}>
      {label}
      <span className="visually-hidden">: {texts.label(row.rule)}</span>
    </button>
  );
  const why = (command: NonNullable<SettingRow['command']>) =>
    (status.word === 'refused' ? failureReason : failureWords)(t, command, { [row.rule.name]: texts.label(row.rule) });
  switch (status.word) {
    case 'drifted':
      return mayWrite ? (
        <span className={styles.acts}>
          {act(t('setting-screens.act.restore'), () => acts.restore(row))}
          {act(t('setting-screens.act.accept'), () => acts.accept(row))}
        </span>
      ) : null;
    case 'queued':
      return mayWrite ? act(t('setting-screens.act.cancel'), () => acts.cancel(row)) : null;
    case 'sent':
    case 'acknowledged':
      return <small>{t(`setting-screens.next.${status.word}`)}</small>;
    case 'refused':
    case 'differs':
    case 'timedOut':
    case 'expired':
      return (
        <>
          {row.command && <small>{why(row.command)}</small>}
          {edit === undefined &&
            mayWrite &&
            row.can.write &&
            act(t('setting-screens.act.again'), () => acts.again(row))}
        </>
      );
    case 'blocked':
      return row.blockedBy === null ? null : (
        <button type="button" className={styles.act} onClick={() => acts.show(row.blockedBy?.name ?? '')}>
          {texts.label(row.blockedBy)}
        </button>
      );
    case 'neverRead':
      return mayWrite ? act(t('setting-screens.act.read'), () => acts.read(row)) : null;
    default:
      return null;
  }
}
