import type { DeviceKind, DeviceRow } from '@sonnenwarte/contract/devices/device';
import { drift } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { ActionsMenu } from '../blocks/actions/actions-menu.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { useWayActions, WayButton, type WayButtonProps } from '../blocks/show/way-button.tsx';
import { read } from '../client/queries.ts';
import { deviceHistoryActions } from '../device-history/device-history-actions.tsx';
import { DocumentsOf } from '../documents/documents-of-part.ts';
import { OriginPart } from '../factory/origin-part.ts';
import { DriftPart } from '../remote-settings/drift-part.ts';
import { useGlobalState } from '../state/global-state.ts';

type Slot = ComponentType<{ readonly device: DeviceRow }>;

/** Kinds that have settings of their own. */
const settable: readonly DeviceKind[] = ['inverter', 'ems', 'meter'];

/** Screens beside the details of a device. */
function waysOf({ deviceID, kind, stationID, hasBattery }: DeviceRow): readonly WayButtonProps[] {
  const query = { stationID: stationID ?? '' };
  const ways: readonly (WayButtonProps | false)[] = [
    stationID !== null && (kind === 'ems' || (kind === 'inverter' && hasBattery)) && { to: 'work-model', query },
    stationID !== null && kind === 'ems' && { to: 'device-ems-config', query },
    { to: 'analysis', query: { id: deviceID } },
    kind === 'inverter' && { to: 'fault-record', query: { 'condition.deviceID': deviceID } },
    { to: 'work-order-add', query: { device: deviceID } },
    settable.includes(kind) && { to: 'remote-setting', query: { id: deviceID }, look: 'filled' },
  ];
  return ways.filter((way) => way !== false);
}

/** Where its reader may go on from it, and what was recorded of it cleared; on a phone one button, the rest in a menu. */
function WaysOn({ device }: { readonly device: DeviceRow }): ReactNode {
  const phone = useIsPhone();
  const ways = waysOf(device);
  const inMenu = useWayActions(phone ? ways.filter(({ look }) => look === undefined) : []);
  return (
    <>
      {ways
        .filter(({ look }) => !phone || look !== undefined)
        .map((way) => (
          <WayButton key={way.to} {...way} />
        ))}
      <ActionsMenu table={deviceHistoryActions} row={device} first={inMenu} />
    </>
  );
}

/** What the device has changed by itself; its words are fetched only where it has. */
function Drifted({ device: { deviceID, deviceSN, kind, ianaTimezone } }: { device: DeviceRow }): ReactNode {
  const mayRead = useGlobalState(({ menuCode }) => menuCode?.includes('plant-view') ?? false);
  const { data } = useQuery({
    ...read(drift, { id: deviceID }, { quiet: true }),
    enabled: mayRead && settable.includes(kind),
  });
  if (!data || data.settings.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <DriftPart deviceID={deviceID} deviceSN={deviceSN} timeZone={ianaTimezone} />
    </Suspense>
  );
}

/** Its manuals; their words are fetched only where there are some. */
const Documents = ({ device: { deviceID } }: { readonly device: DeviceRow }): ReactNode => (
  <Suspense fallback={null}>
    <DocumentsOf deviceID={deviceID} />
  </Suspense>
);

/** Until when it is warranted, and from which batch it is. */
const Origin = ({ device: { deviceID } }: { readonly device: DeviceRow }): ReactNode => (
  <Suspense fallback={null}>
    <OriginPart deviceID={deviceID} />
  </Suspense>
);

/** What other features add to the details of a device; each decides itself whether it has anything to say of it. */
export const deviceSlots: Readonly<Record<'notices' | 'actions' | 'panels' | 'facts', readonly Slot[]>> = {
  /** Below the title, before all figures. */
  notices: [Drifted],
  /** At the right of the title. */
  actions: [WaysOn],
  /** After the live values. */
  panels: [Documents],
  /** Below what it is. */
  facts: [Origin],
};
