import { isOpenCommand } from '@sonnenwarte/contract/commands/command';
import { type SettingGroup, settingGroup } from '@sonnenwarte/contract/remote-settings/setting';
import type { RouteName } from '@sonnenwarte/contract/routes';
import { IconBookmark, IconCopy, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { hasScreen } from '../screens.ts';
import { useTabQuery, useTabTitle } from '../tabs/tab-context.ts';
import { CommandPanel } from './command-panel.tsx';
import { shownCommand, withOrdered } from './command-steps.ts';
import { useEdits } from './edits.ts';
import { EditsFoot } from './edits-foot.tsx';
import { GroupNav, GroupSheet } from './group-nav.tsx';
import { useHasSide } from './has-side.ts';
import { HistoryPanel } from './history.tsx';
import { useReturnedEdits } from './returned-edits.ts';
import { useSettingActs } from './setting-acts.tsx';
import { firstGroup, summariesOf } from './setting-groups.ts';
import { SettingList } from './setting-list.tsx';
import styles from './settings.module.css';
import { SubjectState } from './subject-state.tsx';
import { type SettingsView, useSettings } from './use-settings.ts';
import { WriterNotice } from './writer-notice.tsx';

interface SettingsOfProps {
  subjectID: string;
  /** Only these groups, where a screen is about a part of the settings. */
  only?: readonly SettingGroup[];
  /** Title of the screen, where it is about a part. */
  title?: string;
}

/** All settings of a device or datalogger: groups, rows, own edits, the running command, and the history. */
export function SettingsOf(props: SettingsOfProps): ReactNode {
  const query = useSettings(props.subjectID);
  const { data, error, refetch } = query;
  if (data) return <Settings {...props} view={data} error={error} retry={() => void refetch()} />;
  if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="device-inverter" />;
  return (
    <LoadingSkeleton>
      <Skeleton width="16rem" height="2rem" />
      <Skeleton height="28rem" />
    </LoadingSkeleton>
  );
}

interface SettingsProps extends SettingsOfProps {
  view: SettingsView;
  error: unknown;
  retry: () => void;
}

function Settings({ subjectID, only, title, view, error, retry }: SettingsProps): ReactNode {
  const { t } = useTranslation();
  const phone = useIsPhone();
  const [query, setQuery] = useTabQuery();
  const [search, setSearch] = useState('');
  const { subject, writer, commands, can } = view;
  const timeZone = subject.ianaTimezone ?? localZone();
  const settings = useMemo(() => {
    const rows = withOrdered(view.settings, commands);
    return only ? rows.filter(({ rule }) => only.includes(rule.group)) : rows;
  }, [view.settings, commands, only]);
  const own = useEdits(subjectID);
  const groups = summariesOf(settings, own.edits);
  const named = settings.find(({ rule }) => rule.name === query.setting);
  const asked = settingGroup.safeParse(query.group).data ?? named?.rule.group;
  const group = groups.some((each) => each.group === asked) ? asked : firstGroup(groups);
  const show = (setting: string | undefined, at: SettingGroup | undefined) => {
    const { setting: _, group: __, ...rest } = query;
    setQuery({ ...rest, ...(at && { group: at }), ...(setting && { setting }) });
  };
  const onSent = useReturnedEdits(commands, settings, own);
  const list = useRef<HTMLElement>(null);
  const [written, setWritten] = useState<{ readonly name: string }>();
  // The button that wrote is gone with what was written: the focus goes to what comes of it.
  useEffect(() => {
    if (written) focusSetting(list.current, written.name);
  }, [written]);
  const onWritten = (name: string) => setWritten({ name });
  const acts = useSettingActs({ view: { ...view, settings }, own, group, timeZone, onSent, onWritten });
  const hasSide = useHasSide();
  const current = shownCommand(commands);
  const isRunning = current !== undefined && isOpenCommand(current.state);
  const command = <CommandPanel commands={commands} rows={settings} timeZone={timeZone} />;
  useTabTitle(t('setting-screens.tabTitle', { sn: subject.subjectSN.slice(-6) }));
  const shownName = named?.rule.name;
  return (
    <DetailScreen
      title={title ?? t('setting-screens.title')}
      aside={
        <>
          <SubjectState subject={subject} />
          {can.write && (
            <>
              <TitleButton
                icon={<IconBookmark size={16} aria-hidden="true" />}
                phone={phone}
                onClick={acts.openPresets}
              >
                {t('setting-screens.preset.title')}
              </TitleButton>
              {subject.kind !== 'logger' && (
                <TitleButton icon={<IconCopy size={16} aria-hidden="true" />} phone={phone} onClick={acts.copy}>
                  {t('setting-screens.copyToOthers')}
                </TitleButton>
              )}
              <TitleButton
                icon={<IconRefresh size={16} aria-hidden="true" />}
                phone={phone}
                disabled={acts.busy}
                onClick={acts.readAll}
              >
                {t('setting-screens.readAll')}
              </TitleButton>
            </>
          )}
        </>
      }
    >
      <p className={styles.about}>
        <About view={view} timeZone={timeZone} />
      </p>
      {error !== null && error !== undefined && <ErrorNotice error={error} retry={retry} keepsShown />}
      <WriterNotice writer={writer} />
      {settings.length === 0 ? (
        <EmptyState text={t('setting-screens.none')} />
      ) : (
        <div className={styles.screen} data-named={shownName !== undefined || undefined}>
          <div className={styles.side}>
            <input
              type="search"
              className={styles.search}
              placeholder={t('setting-screens.search')}
              aria-label={t('setting-screens.search')}
              value={search}
              maxLength={64}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
            {search === '' && phone && (
              <GroupSheet groups={groups} chosen={group} onChoose={(at) => show(undefined, at)} />
            )}
            {search === '' && !phone && (
              <GroupNav groups={groups} chosen={group} onChoose={(at) => show(undefined, at)} />
            )}
          </div>
          {isRunning && !hasSide && <div className={styles.running}>{command}</div>}
          <section ref={list} className={styles.main} tabIndex={-1} aria-label={title ?? t('setting-screens.title')}>
            <SettingList
              groups={groups}
              group={group}
              search={search}
              edits={own.edits}
              shownName={shownName}
              timeZone={timeZone}
              mayWrite={can.write}
              busy={acts.busy}
              acts={{
                ...acts.rows,
                show: (name) => {
                  setSearch('');
                  const at = settings.find(({ rule }) => rule.name === name)?.rule.group ?? group;
                  show(name === shownName ? undefined : name, at);
                },
              }}
            />
            <EditsFoot rows={settings} own={own} onWrite={acts.openWrite} />
          </section>
          <aside className={styles.beside} aria-label={t('setting-screens.beside')}>
            {(hasSide || !isRunning) && command}
            <HistoryPanel
              subjectID={subjectID}
              rows={settings}
              name={shownName}
              timeZone={timeZone}
              mayWrite={can.write}
              onAll={() => show(undefined, group)}
              onRevert={acts.openRevert}
            />
          </aside>
        </div>
      )}
      {acts.dialogs}
    </DetailScreen>
  );
}

/** Leads the keyboard to the state of a setting, or to the list where that does not show it. */
function focusSetting(list: HTMLElement | null, name: string): void {
  const row = list?.querySelector(`[data-setting="${CSS.escape(name)}"]`);
  (row?.querySelector<HTMLElement>('[tabindex="-1"]') ?? list)?.focus();
}

interface TitleButtonProps {
  icon: ReactNode;
  phone: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: string;
}

const TitleButton = ({ icon, phone, disabled = false, onClick, children }: TitleButtonProps): ReactNode => (
  <Button disabled={disabled} onClick={onClick}>
    {icon}
    {phone ? <span className="visually-hidden">{children}</span> : children}
  </Button>
);

/** Screens of the kinds of devices. */
const detailOf: Readonly<Record<SettingsView['subject']['kind'], RouteName | undefined>> = {
  inverter: 'device-inverter-detail',
  battery: undefined,
  meter: 'meter-detail',
  ems: 'device-ems-detail',
  gateway: undefined,
  pile: undefined,
  station: undefined,
  logger: undefined,
};

function About({ view: { subject, settings }, timeZone }: { view: SettingsView; timeZone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { subjectID, subjectSN, kind, model, firmware, stationID, stationName } = subject;
  const detail = detailOf[kind];
  const oldestMs = Math.min(...settings.map(({ reportedMs }) => reportedMs ?? 0));
  const parts = [
    <b key="sn">
      {detail !== undefined && hasScreen(detail) ? (
        <ScreenLink to={detail} query={{ id: subjectID }}>
          {subjectSN}
        </ScreenLink>
      ) : (
        subjectSN
      )}
    </b>,
    [t(`setting-screens.kind.${kind}`), model].filter((each) => each !== '').join(' '),
    firmware !== '' && t('setting-screens.firmware', { version: firmware }),
    stationID === null ? (
      stationName
    ) : (
      <ScreenLink key="plant" to="plant-detail" query={{ id: stationID }}>
        {stationName}
      </ScreenLink>
    ),
    t('setting-screens.count', { count: settings.length }),
    settings.length > 0 &&
      oldestMs > 0 &&
      t('setting-screens.readWholly', { time: format.dateTime(oldestMs, timeZone) }),
  ].filter((part) => part !== '' && part !== false);
  return (
    <>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one line
        <span key={at}>
          {at > 0 && ' · '}
          {part}
        </span>
      ))}
    </>
  );
}
