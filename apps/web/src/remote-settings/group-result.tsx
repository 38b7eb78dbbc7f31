import type { Result } from '@sonnenwarte/contract/endpoint';
import {
  controlGroup,
  type GroupRow,
  result,
  retryGroup,
  revertGroup,
} from '@sonnenwarte/contract/remote-settings/group-remote';
import {
  IconArrowBackUp,
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { saveFile } from '../client/download.ts';
import { read, useWrite } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './group.module.css';
import { GroupBar, GroupLegend } from './group-bar.tsx';
import { GroupState } from './group-list.tsx';
import { useGroupName } from './group-name.ts';
import { csvOf, isFailed, isRevertible, type ResultDevice } from './group-results.ts';
import { GroupFrame } from './group-screen.tsx';
import { ResultTable, useResultTexts } from './result-table.tsx';
import { useGroupRefresh } from './use-settings.ts';
import { WriteDialog } from './write-dialog.tsx';

type GroupAnswer = Result<typeof result>;

/** Fourth step: how each device stands, what is not done first; followed as long as the screen is open, and found again afterwards. */
export function GroupResult({ groupID }: { groupID: string }): ReactNode {
  useGroupRefresh([groupID]);
  const { data, error, refetch } = useQuery(read(result, { groupID }));
  if (data) return <Shown answer={data} error={error} retry={() => void refetch()} />;
  if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="group-remote" />;
  return (
    <LoadingSkeleton>
      <Skeleton width="16rem" height="2rem" />
      <Skeleton height="20rem" />
    </LoadingSkeleton>
  );
}

interface ShownProps {
  answer: GroupAnswer;
  error: unknown;
  retry: () => void;
}

function Shown({ answer, error, retry }: ShownProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useGroupName();
  const retrying = useWrite(retryGroup);
  const typing = useWrite(retryGroup, { inPlace: true });
  const [own, setOwn] = useState<ReadonlySet<string>>();
  const [asked, setAsked] = useState<'retry' | 'revert'>();
  const { group, devices, can, isDangerous } = answer;
  const failed = devices.filter(isFailed);
  // Those that failed are chosen as long as nobody chooses otherwise.
  const chosen = own ?? new Set(failed.map(({ deviceID }) => deviceID));
  const retried = failed.filter(({ deviceID }) => chosen.has(deviceID));
  const { counts, createdMs, doneMs } = group;
  const again = { groupID: group.groupID, deviceIDs: retried.map(({ deviceID }) => deviceID) };
  const open = ({ groupID: id }: { groupID: string }) => openScreen({ to: 'group-remote', query: { id } });
  const revertible = devices.filter(isRevertible).length;
  const mayRevert = can.control && doneMs !== null && group.revertsID === null && revertible > 0;
  const revertLabel = t(
    devices.every((device) => !isRevertible(device) || device.state === 'confirmed')
      ? 'setting-screens.many.revertConfirmed'
      : 'setting-screens.many.revertSome',
    { count: revertible },
  );
  return (
    <GroupFrame
      step="result"
      subtitle={[nameOf(group), t('setting-screens.many.devices', { count: counts.total })].join(' · ')}
    >
      {error !== null && error !== undefined && <ErrorNotice error={error} retry={retry} keepsShown />}
      <div className={styles.two}>
        <div className={styles.column}>
          <Panel
            title={t('setting-screens.many.confirmedOf', {
              number: format.number(counts.confirmed),
              total: format.number(counts.total),
            })}
            actions={<GroupState state={group.state} />}
          >
            <div className={styles.progress} role="status">
              <GroupBar counts={counts} />
              <GroupLegend counts={counts} />
              <small>
                {doneMs === null
                  ? t('setting-screens.sinceTime', { time: format.dateTime(createdMs, localZone()) })
                  : t('setting-screens.many.took', { age: format.seconds(Math.round((doneMs - createdMs) / 1_000)) })}
              </small>
            </div>
          </Panel>
          <ResultTable
            devices={devices}
            group={group}
            chosen={chosen}
            mayChoose={can.control && failed.length > 0}
            onChoose={setOwn}
            actions={
              can.control && (
                <>
                  {mayRevert && (
                    <Button small onClick={() => setAsked('revert')}>
                      <IconArrowBackUp size={16} aria-hidden="true" />
                      {revertLabel}
                    </Button>
                  )}
                  {failed.length > 0 && (
                    <Button
                      small
                      look="filled"
                      disabled={retried.length === 0 || retrying.isPending}
                      onClick={() => {
                        if (isDangerous) setAsked('retry');
                        else retrying.mutate(again, { onSuccess: open });
                      }}
                    >
                      <IconRefresh size={16} aria-hidden="true" />
                      {t('setting-screens.many.retry', { count: retried.length })}
                    </Button>
                  )}
                </>
              )
            }
          />
        </div>
        <aside className={styles.column} aria-label={t('setting-screens.many.order')}>
          <StopRule group={group} mayControl={can.control} />
          <Order group={group} devices={devices} />
        </aside>
      </div>
      {asked === 'revert' && (
        <Revert
          group={group}
          count={revertible}
          label={revertLabel}
          isDangerous={isDangerous}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'retry' && (
        <WriteDialog
          title={t('setting-screens.write.dangerous')}
          label={t('setting-screens.many.retry', { count: retried.length })}
          changes={group.values.map(({ rule, value }) => ({ rule, from: null, fromMs: null, to: value }))}
          isDangerous
          typed={{ text: String(retried.length), ask: t('setting-screens.write.typeCount') }}
          timeZone={localZone()}
          onClose={() => setAsked(undefined)}
          onWrite={async (confirmation) => open(await typing.mutateAsync({ ...again, confirmation }))}
        />
      )}
    </GroupFrame>
  );
}

function StopRule({ group, mayControl }: { group: GroupRow; mayControl: boolean }): ReactNode {
  const { t } = useTranslation();
  const control = useWrite(controlGroup);
  const ending = useWrite(controlGroup, { inPlace: true });
  const [asked, setAsked] = useState(false);
  const { groupID, state, stopAfter, refusals, counts, doneMs } = group;
  const isOver = doneMs !== null || state === 'done' || state === 'cancelled';
  const act = (action: 'pause' | 'resume') => control.mutate({ groupID, action });
  return (
    <Panel title={t('setting-screens.many.stopRule')}>
      <div className={styles.rules}>
        <p>
          {stopAfter === null
            ? t('setting-screens.many.neverStops')
            : t('setting-screens.many.stopsAfter', { count: stopAfter, number: refusals })}
        </p>
        {stopAfter !== null && (
          <div className={styles.bar} aria-hidden="true">
            <i data-part="stop" style={{ flexGrow: Math.min(refusals, stopAfter) }} />
            <i data-part="rest" style={{ flexGrow: Math.max(0, stopAfter - refusals) }} />
          </div>
        )}
        {state === 'stopped' && counts.waiting > 0 && (
          <p role="status" className={styles.stopped}>
            {t('setting-screens.many.hasStopped', { count: counts.waiting })}
          </p>
        )}
        {stopAfter !== null && !isOver && state !== 'stopped' && (
          <p className={styles.note}>{t('setting-screens.many.thenUnsent')}</p>
        )}
        {mayControl && !isOver && (
          <div className={styles.buttons}>
            {state === 'running' ? (
              <Button small disabled={control.isPending} onClick={() => act('pause')}>
                <IconPlayerPause size={16} aria-hidden="true" />
                {t('setting-screens.many.pause')}
              </Button>
            ) : (
              <Button small disabled={control.isPending} onClick={() => act('resume')}>
                <IconPlayerPlay size={16} aria-hidden="true" />
                {t('setting-screens.many.resume')}
              </Button>
            )}
            {counts.waiting > 0 && (
              <Button small look="danger-quiet" onClick={() => setAsked(true)}>
                <IconPlayerStop size={16} aria-hidden="true" />
                {t('setting-screens.many.end')}
              </Button>
            )}
          </div>
        )}
      </div>
      <ConfirmAction
        opened={asked}
        danger
        title={t('setting-screens.many.askEnd')}
        confirmLabel={t('setting-screens.many.end')}
        onClose={() => setAsked(false)}
        onConfirm={() => ending.mutateAsync({ groupID, action: 'cancel' })}
      >
        <p>{t('setting-screens.many.endMeans', { count: counts.waiting })}</p>
      </ConfirmAction>
    </Panel>
  );
}

function Order({ group, devices }: { group: GroupRow; devices: readonly ResultDevice[] }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useGroupName();
  const texts = useResultTexts(group);
  const { by, createdMs, revertsID } = group;
  const longest = Math.max(
    -1,
    ...devices.flatMap(({ state, startedMs, doneMs }) =>
      state === 'confirmed' && startedMs !== null && doneMs !== null ? [doneMs - startedMs] : [],
    ),
  );
  return (
    <Panel title={t('setting-screens.many.order')}>
      <div className={styles.rules}>
        <PropertyList
          items={[
            { label: t('setting-screens.many.startedBy'), value: by },
            { label: t('setting-screens.many.startedAt'), value: format.dateTime(createdMs, localZone()) },
            {
              label: t('setting-screens.many.longest'),
              value:
                longest < 0 ? '' : t('setting-screens.many.secondsValue', { value: format.number(longest / 1_000, 1) }),
            },
          ]}
        />
        {revertsID !== null && (
          <Button small look="plain" onClick={() => openScreen({ to: 'group-remote', query: { id: revertsID } })}>
            {t('setting-screens.many.reverted')}
          </Button>
        )}
        <Button
          wide
          onClick={() => {
            const lines = devices.map((device) => texts.cells(device));
            saveFile(
              new Blob([csvOf([texts.head, ...lines])], { type: 'text/csv;charset=utf-8' }),
              `${fileName(nameOf(group))}.csv`,
            );
          }}
        >
          <IconDownload size={16} aria-hidden="true" />
          {t('setting-screens.many.csv')}
        </Button>
      </div>
    </Panel>
  );
}

const fileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60);

interface RevertProps {
  group: GroupRow;
  /** Devices that get back what they had. */
  count: number;
  label: string;
  isDangerous: boolean;
  onClose: () => void;
}

function Revert({ group, count, label, isDangerous, onClose }: RevertProps): ReactNode {
  const { t } = useTranslation();
  const reverting = useWrite(revertGroup, { inPlace: true });
  const { groupID } = group;
  return (
    <WriteDialog
      title={t('setting-screens.many.askRevert')}
      label={label}
      changes={[]}
      isDangerous={isDangerous}
      typed={{ text: String(count), ask: t('setting-screens.write.typeCount') }}
      undo={t('setting-screens.many.revertMeans', { count })}
      timeZone={localZone()}
      onClose={onClose}
      onWrite={async (confirmation) => {
        const { groupID: id } = await reverting.mutateAsync({ groupID, confirmation });
        openScreen({ to: 'group-remote', query: { id } });
      }}
    />
  );
}
