import type { DeviceRow, LatestValue } from '@sonnenwarte/contract/devices/device';
import type { FleetSummary } from '@sonnenwarte/contract/fleet/fleet';
import type { HandoverNow } from '@sonnenwarte/contract/handover/handover';
import { type LiveEvent, MAX_SUBJECTS, stream } from '@sonnenwarte/contract/live/live';
import type { Figures, SiteLive } from '@sonnenwarte/contract/sites/site';
import type { FetchLike } from 'eventsource-client';
import { headersNow, resultOf } from '../client/call.ts';
import { serverNowMs } from '../client/clock.ts';
import { isFailure, StatusError } from '../client/failures.ts';
import { reactionTo } from '../client/reaction.ts';
import { report } from '../client/reporting.ts';
import { onSessionEnd, tokenOf } from '../state/session.ts';
import { createStore, type Store } from '../state/store.ts';
import { createLiveStream, type LiveStream, type StreamState } from './live-stream.ts';

export interface LiveSite {
  site: SiteLive;
  today: Figures;
}

export interface LiveDevice {
  device: DeviceRow;
  values: readonly LatestValue[];
}

interface LiveData {
  sites: Readonly<Record<string, LiveSite>>;
  devices: Readonly<Record<string, LiveDevice>>;
  fleet: FleetSummary | undefined;
  /** By plant. */
  handovers: Readonly<Record<string, HandoverNow | null>>;
  /** By subject: the server's time at which it told that something of it is another. */
  changed: Readonly<Record<string, number>>;
}

const nothing: LiveData = { sites: {}, devices: {}, fleet: undefined, handovers: {}, changed: {} };

/** Newest values of what is watched, by id. What was shown stays when the stream breaks. */
export const liveData: Store<LiveData> = createStore<LiveData>(nothing);

export interface LiveState extends StreamState {
  /** Whether anything shown is live at all. */
  watching: boolean;
}

/** Whether the stream is up, and the server's time of its newest sign of life. */
export const liveState: Store<LiveState> = createStore<LiveState>({
  connected: false,
  lastEventAtMs: null,
  watching: false,
});

export function applyEvent(event: LiveEvent): void {
  switch (event.type) {
    case 'site':
      liveData.set(({ sites }) => ({ sites: { ...sites, [event.site.stationID]: event } }));
      break;
    case 'device':
      liveData.set(({ devices }) => ({ devices: { ...devices, [event.device.deviceID]: event } }));
      break;
    case 'fleet':
      liveData.set({ fleet: event.fleet });
      break;
    case 'handover':
      liveData.set(({ handovers }) => ({ handovers: { ...handovers, [event.stationID]: event.handover } }));
      break;
    case 'changed':
      liveData.set(({ changed }) => ({ changed: { ...changed, [event.subject]: event.atMs } }));
      break;
    default:
  }
}

const isStream = (response: Response): boolean =>
  response.ok && (response.headers.get('content-type') ?? '').startsWith('text/event-stream');

/** An answer that is no stream is an error in the envelope; what ends the session is acted on, the rest is tried again. */
const fetchStream: FetchLike = async (url, init) => {
  const token = tokenOf();
  const response = await fetch(url, { ...(init as RequestInit), headers: { ...init?.headers, ...headersNow(stream) } });
  if (isStream(response)) return response;
  const failure: unknown = await resultOf(response).then(
    () => new StatusError(response.status, response.statusText),
    (error: unknown) => error,
  );
  if (isFailure(failure) && reactionTo(failure).leave?.to === '/login') {
    if (token === tokenOf()) live.close();
    void report(failure, { token });
  }
  throw failure;
};

const live: LiveStream = createLiveStream({
  url: stream.path,
  fetch: fetchStream,
  onEvent: applyEvent,
  onState: (state) => liveState.set(state),
  nowMs: serverNowMs,
});

const watchers = new Map<symbol, readonly string[]>();

function watchAll(): void {
  const subjects = [...new Set([...watchers.values()].flat())].slice(0, MAX_SUBJECTS);
  liveState.set({ watching: subjects.length > 0 });
  live.watch(subjects);
}

/** Watches subjects until the returned function is called. */
export function watchSubjects(subjects: readonly string[]): () => void {
  const key = Symbol('watcher');
  watchers.set(key, subjects);
  watchAll();
  return () => {
    watchers.delete(key);
    watchAll();
  };
}

/** The server is known to answer: a stream that is down is opened now. */
export function reviveLive(): void {
  if (!document.hidden) live.setHidden(false);
}

document.addEventListener('visibilitychange', () => live.setHidden(document.hidden));
onSessionEnd(() => {
  live.close();
  liveData.set(nothing);
  liveState.set({ connected: false, lastEventAtMs: null, watching: false });
});
