import type { Endpoint, ListEndpoint, Parsed, Result, RowOf } from '@sonnenwarte/contract/endpoint';
import type { ExportEndpoint } from '@sonnenwarte/contract/exports';
import { type ExportSource, serveExport } from './exports/serve-export.ts';
import {
  type Api,
  type ContextOf,
  type EventStream,
  type FileAnswer,
  serve,
  serveFile,
  serveStream,
} from './http/serve.ts';
import { type FindRows, serveList } from './http/serve-list.ts';
import { type ReceivedFile, serveUpload } from './http/serve-upload.ts';
import type { Services } from './services.ts';
import type { Asked } from './stores/lists.ts';

type Group = Readonly<Record<string, Endpoint>>;

/** What a file holds of the rows that its list finds. */
export interface FileOf<L extends ListEndpoint, Used, Row extends object = RowOf<L> & object>
  extends Omit<ExportSource<L, Row>, 'find' | 'zoneOf'> {
  readonly find: (services: Used, input: Asked<L>, context: ContextOf<L>) => ReturnType<ExportSource<L, Row>['find']>;
  readonly zoneOf?: (services: Used, input: Asked<L>, context: ContextOf<L>) => Promise<string | undefined>;
}

/** A file whose rows hold more than those of the list's pages. */
export const widerFile = <L extends ListEndpoint, Used, Row extends RowOf<L> & object>(
  file: FileOf<L, Used, Row>,
): FileOf<L, Used> => file as unknown as FileOf<L, Used>;

/** A call that has nothing to say answers nothing. */
type Answer<E extends Endpoint> =
  | Promise<Result<E>>
  | (Record<string, never> extends Result<E> ? Promise<void> : never);

/**
 * What answers a call, by what the contract says that it is: a function of what it works with, what was sent and who sent it. That of a list answers the
 * rows that it found, for its pages as for its file.
 */
type Answering<E extends Endpoint, Used> = E extends { readonly stream: true }
  ? (services: Used, input: Parsed<E>, context: ContextOf<E>, stream: EventStream<Result<E>>) => Promise<void>
  : E extends ExportEndpoint<infer L>
    ? FileOf<L, Used>
    : E extends { readonly file: true }
      ? (services: Used, input: Parsed<E>, context: ContextOf<E>) => Promise<FileAnswer>
      : E extends { readonly upload: object }
        ? (services: Used, input: Parsed<E>, context: ContextOf<E>, file: ReceivedFile) => Answer<E>
        : E extends ListEndpoint
          ? (services: Used, input: Asked<E>, context: ContextOf<E>) => ReturnType<FindRows<E>>
          : (services: Used, input: Parsed<E>, context: ContextOf<E>) => Answer<E>;

type Beside<Own> = Own extends object ? Services & Own : Services;

/** What a room of the server adds to it. */
export interface Feature {
  readonly endpoints: Group;
  /** Answers its calls and starts what it does beside them. */
  bind(api: Api, services: Services): void;
}

/**
 * A feature answers each call of its group, a line each. `start` begins what else it does (jobs, hooks, gauges) and gives what its calls need beyond
 * the services.
 */
export function featureOf<const G extends Group, Own = void>(
  endpoints: G,
  answers: { readonly [Name in keyof G]: Answering<G[Name], Beside<NoInfer<Own>>> },
  start?: (services: Services, api: Api) => Own,
): Feature {
  return {
    endpoints,
    bind: (api, services) => {
      const used = { ...services, ...start?.(services, api) };
      for (const [name, endpoint] of Object.entries(endpoints)) answer(api, endpoint, answers[name], used);
    },
  };
}

type Handle = (services: object, ...call: unknown[]) => Promise<never>;

function answer(api: Api, endpoint: Endpoint, answering: unknown, services: object): void {
  if (typeof answering === 'object') {
    const { find, zoneOf, ...file } = answering as FileOf<ListEndpoint, object>;
    serveExport(api, endpoint as ExportEndpoint<ListEndpoint>, {
      ...file,
      find: (input, context) => find(services, input, context),
      ...(zoneOf && { zoneOf: (input, context) => zoneOf(services, input, context) }),
    });
    return;
  }
  const handle = (...call: unknown[]) => (answering as Handle)(services, ...call);
  if (endpoint.stream) serveStream(api, { ...endpoint, stream: true }, handle);
  else if (endpoint.file) serveFile(api, { ...endpoint, file: true }, handle);
  else if (endpoint.upload)
    serveUpload(
      api,
      { ...endpoint, upload: endpoint.upload },
      async (input, context, file) => (await handle(input, context, file)) ?? {},
    );
  else if (endpoint.list) serveList(api, endpoint as ListEndpoint, handle);
  else serve(api, endpoint, async (input, context) => (await handle(input, context)) ?? {});
}
