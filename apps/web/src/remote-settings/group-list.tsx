import { type GroupRow, groups } from '@sonnenwarte/contract/remote-settings/group-remote';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Pager } from '../blocks/list/pager.tsx';
import { Badge, type Tone } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { openScreen, ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTabQuery } from '../tabs/tab-context.ts';
import styles from './group.module.css';
import { GroupBar } from './group-bar.tsx';
import { beginGroup, useGroupDraft } from './group-draft.ts';
import { useGroupName } from './group-name.ts';
import { useGroupRefresh } from './use-settings.ts';

const PAGE_SIZE = 10;

/** Writes to many devices, the newest first; those that still run are followed. */
export function GroupList(): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const [address, setAddress] = useTabQuery();
  const draft = useGroupDraft();
  const currentPage = Math.max(1, Math.min(10_000, Math.trunc(Number(address.currentPage ?? '1')) || 1));
  const query = useQuery({
    ...read(groups, { currentPage, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  useGroupRefresh((data?.data ?? []).filter(({ doneMs }) => doneMs === null).map(({ groupID }) => groupID));
  const isBegun = draft.deviceIDs.length > 0 || Object.keys(draft.values).length > 0;
  const begin = () => {
    beginGroup('inverter');
    openScreen({ to: 'group-remote', query: { step: 'devices' } });
  };
  const newGroup = (
    <Button look="filled" onClick={begin}>
      <IconPlus size={16} aria-hidden="true" />
      {t('setting-screens.many.new')}
    </Button>
  );
  return (
    <DetailScreen
      title={label('group-remote')}
      subtitle={t('setting-screens.many.about')}
      aside={
        <>
          {isBegun && (
            <Button onClick={() => openScreen({ to: 'group-remote', query: { step: 'devices' } })}>
              {t('setting-screens.many.goOn')}
            </Button>
          )}
          {newGroup}
        </>
      }
    >
      <ReadState query={query}>
        <Skeleton height="14rem" />
      </ReadState>
      {data?.total === 0 && (
        <Panel>
          <EmptyState text={t('setting-screens.many.none')} />
        </Panel>
      )}
      {data && data.total > 0 && (
        <Panel>
          <ul className={styles.groups}>
            {data.data.map((group) => (
              <GroupLine key={group.groupID} group={group} />
            ))}
          </ul>
          {data.total > PAGE_SIZE && (
            <Pager
              currentPage={currentPage}
              pageSize={PAGE_SIZE}
              total={data.total}
              onChange={(change) => setAddress({ currentPage: String(change.currentPage ?? 1) })}
            />
          )}
        </Panel>
      )}
    </DetailScreen>
  );
}

const tones: Readonly<Record<GroupRow['state'], Tone>> = {
  running: 'brand',
  paused: 'warn',
  stopped: 'bad',
  done: 'good',
  cancelled: 'neutral',
};

export const GroupState = ({ state }: Pick<GroupRow, 'state'>): ReactNode => {
  const { t } = useTranslation();
  return <Badge tone={tones[state]}>{t(`setting-screens.many.state.${state}`)}</Badge>;
};

function GroupLine({ group }: { group: GroupRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useGroupName();
  const { groupID, by, createdMs, counts, state } = group;
  return (
    <li>
      <div className={styles.groupName}>
        <ScreenLink to="group-remote" query={{ id: groupID }}>
          {nameOf(group)}
        </ScreenLink>
        <small>{[format.dateTime(createdMs, localZone()), by].filter((each) => each !== '').join(' · ')}</small>
      </div>
      <GroupState state={state} />
      <div className={styles.groupCounts}>
        <GroupBar counts={counts} />
        <small>
          {t('setting-screens.many.confirmedOf', {
            number: format.number(counts.confirmed),
            total: format.number(counts.total),
          })}
        </small>
      </div>
    </li>
  );
}
