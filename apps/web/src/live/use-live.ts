import type { FleetSummary } from '@sonnenwarte/contract/fleet/fleet';
import type { HandoverNow } from '@sonnenwarte/contract/handover/handover';
import { useEffect } from 'react';
import { useStore } from '../state/store.ts';
import { type LiveDevice, type LiveSite, type LiveState, liveData, liveState, watchSubjects } from './live-state.ts';

/** Watches subjects (`fleet`, `site:<id>`, `device:<id>`) as long as the component is shown. */
export function useLive(subjects: readonly string[]): void {
  const key = subjects.join(' ');
  useEffect(() => watchSubjects(key === '' ? [] : key.split(' ')), [key]);
}

/** Live powers and today's figures of a plant; `undefined` until the first have come. */
export function useSiteLive(stationID: string | undefined): LiveSite | undefined {
  useLive(stationID === undefined ? [] : [`site:${stationID}`]);
  return useStore(liveData, ({ sites }) => (stationID === undefined ? undefined : sites[stationID]));
}

/** Live row and values of a device; `undefined` until the first have come. */
export function useDeviceLive(deviceID: string | undefined): LiveDevice | undefined {
  useLive(deviceID === undefined ? [] : [`device:${deviceID}`]);
  return useStore(liveData, ({ devices }) => (deviceID === undefined ? undefined : devices[deviceID]));
}

/** How far the handover of a plant has come, `null` where there is none; `undefined` until the first has come. */
export function useHandoverLive(stationID: string): HandoverNow | null | undefined {
  useLive([`handover:${stationID}`]);
  return useStore(liveData, ({ handovers }) => handovers[stationID]);
}

/** Times at which the server told that something of the subjects is another; their own calls read what. */
export function useChanges(subjects: readonly string[]): string {
  useLive(subjects);
  return useStore(liveData, ({ changed }) => subjects.map((subject) => changed[subject] ?? 0).join(' '));
}

/** Live sums over all plants in scope; `undefined` until the first have come. */
export function useFleetLive(): FleetSummary | undefined {
  useLive(['fleet']);
  return useStore(liveData, ({ fleet }) => fleet);
}

export const useLiveState = (): LiveState => useStore(liveState, (state) => state);
