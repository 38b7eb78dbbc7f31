import { BEAT_MS, type LiveEvent } from '@sonnenwarte/contract/live/live';
import { createEventSource, type EventSourceClient, type FetchLike } from 'eventsource-client';
import { backoffMs } from './backoff.ts';

const SETTLE_MS = 150;
/** Silence after which a stream counts as dead: two beats without a word. */
export const SILENCE_MS = 2 * BEAT_MS;
export const HIDDEN_PAUSE_MS = 5 * 60_000;

export interface StreamState {
  connected: boolean;
  lastEventAtMs: number | null;
}

export interface StreamOptions {
  url: string;
  fetch: FetchLike;
  onEvent: (event: LiveEvent) => void;
  onState: (state: StreamState) => void;
  nowMs: () => number;
  random?: () => number;
}

export interface LiveStream {
  /** Names what is watched; the stream is opened anew when that differs, and closed when it is nothing. */
  watch: (subjects: readonly string[]) => void;
  /** The page is hidden or shown; a page hidden for long closes its stream. */
  setHidden: (hidden: boolean) => void;
  close: () => void;
}

/** One stream of server-sent events that keeps itself alive. */
export function createLiveStream({
  url,
  fetch,
  onEvent,
  onState,
  nowMs,
  random = Math.random,
}: StreamOptions): LiveStream {
  let source: EventSourceClient | undefined;
  let watched = '';
  let wanted: readonly string[] = [];
  let failures = 0;
  let paused = false;
  let state: StreamState = { connected: false, lastEventAtMs: null };
  const timers: Partial<Record<'settle' | 'retry' | 'silence' | 'pause', ReturnType<typeof setTimeout>>> = {};

  const after = (name: keyof typeof timers, delayMs: number, action: () => void) => {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(action, delayMs);
  };
  const stop = (name: keyof typeof timers) => clearTimeout(timers[name]);

  function change(next: Partial<StreamState>) {
    state = { ...state, ...next };
    onState(state);
  }

  function shut() {
    stop('silence');
    stop('retry');
    source?.close();
    source = undefined;
  }

  function broken() {
    shut();
    if (state.connected) change({ connected: false });
    if (paused || wanted.length === 0) return;
    failures += 1;
    after('retry', backoffMs(failures, random()), connect);
  }

  function heard(data: string) {
    after('silence', SILENCE_MS, broken);
    let event: LiveEvent;
    try {
      event = JSON.parse(data) as LiveEvent;
    } catch {
      return;
    }
    failures = 0;
    change({ connected: true, lastEventAtMs: nowMs() });
    onEvent(event);
  }

  function connect() {
    shut();
    watched = wanted.join(' ');
    if (paused || wanted.length === 0) {
      if (state.connected) change({ connected: false });
      return;
    }
    const opened = createEventSource({
      url,
      method: 'POST',
      body: JSON.stringify({ subjects: wanted }),
      credentials: 'omit',
      fetch,
      onMessage: ({ data }) => {
        if (opened === source) heard(data);
      },
      onScheduleReconnect: () => {
        if (opened === source) broken();
      },
    });
    source = opened;
    after('silence', SILENCE_MS, broken);
  }

  return {
    watch(subjects) {
      wanted = [...new Set(subjects)].sort();
      after('settle', SETTLE_MS, () => {
        if (wanted.join(' ') === watched && (source || wanted.length === 0)) return;
        connect();
      });
    },
    setHidden(hidden) {
      if (hidden) {
        after('pause', HIDDEN_PAUSE_MS, () => {
          paused = true;
          connect();
        });
        return;
      }
      stop('pause');
      if (paused || (!state.connected && wanted.length > 0)) {
        paused = false;
        failures = 0;
        connect();
      }
    },
    close() {
      wanted = [];
      watched = '';
      shut();
      stop('settle');
      stop('pause');
      change({ connected: false });
    },
  };
}
