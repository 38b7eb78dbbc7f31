import type { LiveEvent } from '@sonnenwarte/contract/live/live';
import type { Actor } from '../access/actor.ts';
import { type Scope, scopeOf } from '../access/scope.ts';
import type { EventStream } from '../http/serve.ts';
import type { Watch } from './live-subject.ts';

/** A stream with the number of bytes that its client has not taken yet, where the transport knows it. */
export type LiveSink = EventStream<LiveEvent> & { readonly backlogBytes?: number };

export interface LiveCaller {
  readonly actor: Actor;
  readonly token: string;
  readonly address: string;
  readonly userAgent: string;
}

const LONGEST_BACKLOG_BYTES = 256 * 1024;

/** An open stream of one caller and what it looks at. */
export class LiveStream {
  readonly caller: LiveCaller;
  readonly watches = new Map<string, Watch>();
  readonly #sink: LiveSink;
  scope: Scope;
  beats = 0;
  /** Beats in a row at which the client had not taken what it was sent. */
  stuckChecks = 0;

  constructor(caller: LiveCaller, sink: LiveSink) {
    this.caller = caller;
    this.scope = scopeOf(caller.actor);
    this.#sink = sink;
  }

  get isClosed(): boolean {
    return this.#sink.closed.aborted;
  }

  /** The client takes less than it is sent: it then gets the newest state only, once it has caught up. */
  get isSlow(): boolean {
    return (this.#sink.backlogBytes ?? 0) > LONGEST_BACKLOG_BYTES;
  }

  send(event: LiveEvent): void {
    this.#sink.send(event);
  }

  onClosed(run: () => void): void {
    if (this.isClosed) run();
    else this.#sink.closed.addEventListener('abort', run, { once: true });
  }

  end(): void {
    this.#sink.end();
  }
}
