import { isOpenCommand } from '@sonnenwarte/contract/commands/command';
import { list as commandList } from '@sonnenwarte/contract/commands/commands';
import { type DataloggerDetail, detail } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { ActionsMenu } from '../blocks/actions/actions-menu.tsx';
import { deviceTarget } from '../blocks/devices/detail-target.ts';
import { ActiveAlarms } from '../blocks/show/active-alarms.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { RefreshedEvery } from '../blocks/show/refreshed-every.ts';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { WayButton } from '../blocks/show/way-button.tsx';
import { read } from '../client/queries.ts';
import { DocumentsOf } from '../documents/documents-of-part.ts';
import { OriginPart } from '../factory/origin-part.ts';
import { useFormat } from '../format/use-format.ts';
import { CommandPart } from '../remote-settings/command-part.ts';
import { useRecordID, useTabTitle } from '../tabs/tab-context.ts';
import { dataloggerActions } from './datalogger-actions.tsx';
import { DataloggerStateMark } from './datalogger-cells.tsx';
import styles from './dataloggers.module.css';
import { SignalPanel } from './signal-panel.tsx';

const REFRESH_MS = 15_000;
/** Steps that bring a new datalogger to its plant; all else is done rarely. */
const leading = ['adopt', 'bind'];
const OPEN_MS = 2_000;

/** One datalogger, named by the address. */
export function DataloggerScreen(): ReactNode {
  const { t } = useTranslation();
  const moduleID = useRecordID('moduleID');
  if (moduleID === undefined) {
    return (
      <TitledScreen>
        <EmptyState text={t('dataloggers.list.empty')} />
      </TitledScreen>
    );
  }
  return <Datalogger key={moduleID} moduleID={moduleID} />;
}

function Datalogger({ moduleID }: { moduleID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error, refetch } = useQuery({ ...read(detail, { moduleID }), refetchInterval: REFRESH_MS });
  useTabTitle(data?.module.moduleSN);
  if (!data) {
    if (error) return <UnreadRecord error={error} retry={() => void refetch()} list="device-module" />;
    return (
      <LoadingSkeleton>
        <Skeleton width="16rem" height="2rem" />
        <Skeleton height="20rem" />
      </LoadingSkeleton>
    );
  }
  const { module, alarms, devices, history, ianaTimezone } = data;
  const isLate = module.communication !== 1;
  return (
    <DetailScreen
      title={module.moduleSN}
      subtitle={<Subtitle data={data} />}
      aside={
        <>
          <DataloggerStateMark row={module} />
          <RefreshedEvery value={REFRESH_MS}>
            <Freshness asOfMs={module.lastSeenMs} intervalS={module.intervalS} offline={isLate} />
          </RefreshedEvery>
          <ActionButtons table={dataloggerActions} row={module} look="filled" only={leading} />
          {!module.quarantined && <WayButton to="remote-setting" query={{ id: module.moduleID }} />}
          <ActionsMenu table={dataloggerActions} row={module} but={leading} />
        </>
      }
    >
      {error && <ErrorNotice error={error} retry={() => void refetch()} keepsShown />}
      {module.quarantined && <p className={styles.note}>{t('dataloggers.uncreated')}</p>}
      {alarms.length > 0 && (
        <Panel title={t('devices.section.alarms')}>
          <ActiveAlarms alarms={alarms} timeZone={ianaTimezone} />
        </Panel>
      )}
      <Commands moduleID={module.moduleID} timeZone={ianaTimezone} />
      <KeyFigures>
        {module.signal !== null && (
          <KeyFigure
            label={t('dataloggers.signalStrength')}
            value={format.number(Math.round(module.signal))}
            unit="dBm"
            late={isLate}
          />
        )}
        <KeyFigure
          label={t('dataloggers.field.childrenHeard')}
          value={t('dataloggers.heardOf', {
            heard: format.number(module.childrenHeard),
            all: format.number(module.children),
          })}
          unit=""
          late={isLate}
        />
        <KeyFigure
          label={t('dataloggers.field.pending')}
          value={module.pending === null ? '–' : format.number(module.pending)}
          unit=""
          late={isLate}
        />
      </KeyFigures>
      <SignalPanel moduleID={module.moduleID} timeZone={ianaTimezone} />
      <Panel title={t('dataloggers.section.children')}>
        {devices.length === 0 ? <EmptyState text={t('dataloggers.noChildren')} /> : <DeviceTable devices={devices} />}
      </Panel>
      <Suspense fallback={null}>
        <DocumentsOf moduleID={data.module.moduleID} />
      </Suspense>
      <Identity data={data} />
      <Panel title={t('dataloggers.section.history')}>
        {history.length === 0 ? <EmptyState text={t('dataloggers.noHistory')} /> : <History history={history} />}
      </Panel>
    </DetailScreen>
  );
}

/** The restart or the new password that is under way, or was last ordered. */
function Commands({ moduleID, timeZone }: { moduleID: string; timeZone: string }): ReactNode {
  const { data } = useQuery({
    ...read(commandList, { id: moduleID, pageSize: 10, currentPage: 1 }, { quiet: true }),
    refetchInterval: ({ state }) => (state.data?.data.some((each) => isOpenCommand(each.state)) ? OPEN_MS : REFRESH_MS),
  });
  const actions = data?.data.filter(({ kind }) => kind === 'action') ?? [];
  if (actions.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <CommandPart commands={actions} rows={[]} timeZone={timeZone} />
    </Suspense>
  );
}

function Subtitle({ data: { module, organisation } }: { data: DataloggerDetail }): ReactNode {
  const kind = [module.moduleType, module.model].filter((text) => text !== '').join(' ');
  const place =
    module.stationID === null ? (
      organisation
    ) : (
      <ScreenLink to="plant-detail" query={{ id: module.stationID }}>
        {module.plantName}
      </ScreenLink>
    );
  return (
    <>
      {kind}
      {kind !== '' && place !== '' && ' · '}
      {place}
    </>
  );
}

function DeviceTable({ devices }: Pick<DataloggerDetail, 'devices'>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const within = `${t('routes.module-config')}: ${t('dataloggers.section.children')}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className={styles.scroll} tabIndex={0} aria-label={within}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('devices.field.deviceSN')}</th>
            <th scope="col">{t('devices.field.deviceType')}</th>
            <th scope="col">{t('devices.field.state')}</th>
            <th scope="col">{t('dataloggers.field.lastSeenMs')}</th>
          </tr>
        </thead>
        <tbody>
          {devices.map(({ deviceID, deviceSN, kind, model, state, lastSeenMs }) => (
            <tr key={deviceID}>
              <th scope="row" translate="no">
                {kind === 'station' ? (
                  deviceSN
                ) : (
                  <ScreenLink {...deviceTarget({ kind, deviceID })}>{deviceSN}</ScreenLink>
                )}
              </th>
              <td>{[t(`sites.kind.${kind}`), model].filter((text) => text !== '').join(' · ')}</td>
              <td>
                <StatusTag state={state} />
              </td>
              <td>{format.localTime(lastSeenMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Identity({ data }: { data: DataloggerDetail }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { module, organisation, profile, clockZone, bornMs, createdMs, credential, formerUntilMs } = data;
  return (
    <Panel title={t('dataloggers.section.identity')}>
      <PropertyList
        items={[
          { label: t('dataloggers.field.moduleSN'), value: module.moduleSN },
          { label: t('dataloggers.field.moduleType'), value: module.moduleType },
          { label: t('dataloggers.field.model'), value: module.model },
          { label: t('dataloggers.field.version'), value: module.version },
          { label: t('dataloggers.field.hardware'), value: module.hardware },
          { label: t('dataloggers.profile'), value: profile },
          { label: t('dataloggers.organisation'), value: organisation },
          { label: t('dataloggers.field.ip'), value: module.ip },
          {
            label: t('dataloggers.field.uplink'),
            value: module.uplink === null ? '' : t(`dataloggers.uplink.${module.uplink}`),
          },
          { label: t('dataloggers.interval'), value: format.seconds(module.intervalS) },
          { label: t('dataloggers.clock'), value: clockZone },
          { label: t('dataloggers.bornMs'), value: format.localTime(bornMs) },
          { label: t('dataloggers.createdMs'), value: format.localTime(createdMs) },
          {
            label: t('dataloggers.credential.label'),
            value: [
              t(`dataloggers.credential.${credential}`),
              formerUntilMs !== null && t('dataloggers.password.former', { time: format.localTime(formerUntilMs) }),
            ]
              .filter((text) => text !== false)
              .join(' · '),
          },
        ]}
      />
      <Suspense fallback={null}>
        <OriginPart moduleID={module.moduleID} />
      </Suspense>
    </Panel>
  );
}

function History({ history }: Pick<DataloggerDetail, 'history'>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const within = `${t('routes.module-config')}: ${t('dataloggers.section.history')}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className={styles.scroll} tabIndex={0} aria-label={within}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('dataloggers.past.at')}</th>
            <th scope="col">{t('dataloggers.past.what')}</th>
            <th scope="col">{t('dataloggers.past.who')}</th>
            <th scope="col">{t('dataloggers.field.plantName')}</th>
          </tr>
        </thead>
        <tbody>
          {history.map(({ atMs, action, actor, plant }) => (
            <tr key={`${atMs} ${action}`}>
              <td>{format.localTime(atMs)}</td>
              <td>{t(`dataloggers.done.${action.slice(action.indexOf('.') + 1)}` as 'dataloggers.done.link')}</td>
              <td>{actor}</td>
              <td>{plant === '' ? '–' : plant}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
