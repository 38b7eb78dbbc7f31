import { liveEndpoints } from '@sonnenwarte/contract/live/live';
import { type Api, serveStream } from '../http/serve.ts';
import type { LiveHub } from './live-hub.ts';

export function bindLive(api: Api, hub: LiveHub): void {
  serveStream(api, liveEndpoints.stream, ({ subjects }, caller, stream) => hub.open(caller, subjects, stream));
}
