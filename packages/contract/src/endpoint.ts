import type * as z from 'zod/mini';
import type { ErrorName } from './errors.ts';
import type * as features from './features.ts';
import type { Fields } from './kinds.ts';
import type { Level } from './levels.ts';
import type { PermissionCode } from './permissions.ts';

export type Feature = keyof typeof features;

/** Who may call: the levels, or anybody without a session (`public`). Never left out. */
export type Callers = readonly [Level, ...Level[]] | 'public';

/**
 * One HTTP call, described once. The server binds it, the web app calls it, OpenAPI is made from it.
 * Answers are the envelope `{errno, msg, result}` in HTTP 200.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** A POST that changes nothing but the caller's own session: also answered in a read-only view. A GET never writes. */
  readonly reads?: true;
  /** Of a call that writes: features whose answers are others afterwards. The web app reads them again. */
  readonly changes?: readonly Feature[];
  /** Without host and query; the signature covers it. Its feature names the cache scope. */
  readonly path: `/${string}`;
  /** Feature that the call belongs to: folder name, OpenAPI tag, cache scope of the web app. */
  readonly feature: Feature;
  /** One English sentence for the API description. */
  readonly summary: string;
  readonly callers: Callers;
  /** Permission code needed beyond the level, by those callers that can hold it; absent where the level alone decides. */
  readonly code?: PermissionCode;
  /** Permission codes of which any one will do, where several screens make the call; instead of `code`. */
  readonly anyOf?: readonly [PermissionCode, PermissionCode, ...PermissionCode[]];
  /** Query of a GET, body of a POST. */
  readonly input: z.ZodMiniObject;
  readonly result: z.ZodMiniType;
  /** `false` for calls that the specification sends without token and signature. */
  readonly signed?: false;
  /** The answer is a stream of server-sent events whose `data` is `result`. */
  readonly stream?: true;
  /** The answer is the bytes of a file on success, the envelope on refusal. */
  readonly file?: true;
  /** A file that lies ready and is sent as it is: none of the places of files that are being made is taken. */
  readonly ready?: true;
  /** A file that never changes under its address: whoever has it need not ask again. */
  readonly immutable?: true;
  /**
   * The call is multipart: what its input says, then one part `file` of so many bytes at most; a larger one is refused as this. Patient, it has no
   * time limit as long as the file goes on coming in.
   */
  readonly upload?: { readonly mostBytes: number; readonly tooLarge: ErrorName; readonly isPatient?: true };
  /** Headers that the web client sends besides those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer is thousands of like parts: their shape is held by types and tests, and not looked at again in each answer. */
  readonly large?: true;
  /** Called with an API key in `token` and the signature of the open API, not with a session. */
  readonly auth?: 'apiKey';
  /** Answered before a temporary password is changed. */
  readonly beforePasswordChange?: true;
  /** Of a list: what the rows of its answer are. */
  readonly list?: Listing;
  /** Input fields that name a record by id or serial number, for the generated access test. */
  readonly names?: Readonly<Record<string, RecordKind>>;
}

/** Rows of a list. */
export interface Listing {
  /** Name of the rows in the answer. */
  readonly rows: string;
  /** Field that tells rows apart. */
  readonly key: string;
  readonly fields: Fields;
  /** Where the labels of its fields and its sentences stand; with its feature unless said otherwise. */
  readonly texts?: string;
}

/** What a named field of an input identifies. */
export type RecordKind =
  | 'site'
  | 'device'
  | 'deviceSn'
  | 'pile'
  | 'datalogger'
  | 'dataloggerID'
  | 'account'
  | 'integrator'
  | 'organisation'
  | 'department'
  | 'permissionGroup'
  | 'member'
  | 'session'
  | 'apiKey'
  | 'channel'
  | 'claim'
  | 'deletion'
  /** A deletion of plants by the caller. */
  | 'ownDeletion'
  | 'share'
  | 'view'
  | 'workModeTemplate'
  | 'migration'
  /** Values of settings under a name. */
  | 'preset'
  /** A write of settings to many devices. */
  | 'group'
  | 'incident'
  | 'message'
  | 'announcement'
  | 'alarmRule'
  | 'workOrder'
  | 'workOrderPicture'
  /** A picture that the caller has sent and that is in no work order yet. */
  | 'unusedPicture'
  | 'answerTemplate'
  | 'document'
  /** A file that the caller has uploaded and that is no document yet. */
  | 'uploadedDocument'
  | 'brand'
  | 'burnInPlan'
  | 'burnInRun'
  | 'report'
  | 'reportSchedule'
  | 'faultRecord'
  | 'manufacturer'
  | 'deviceBatch'
  | 'deliveredUnit'
  | 'modelWarranty'
  /** A file of serial numbers that the caller has had read. */
  | 'unitImport';

/** Whether a call changes records, so that a read-only view refuses it. */
export const writes = (endpoint: Pick<Endpoint, 'method' | 'reads'>): boolean =>
  endpoint.method === 'POST' && endpoint.reads !== true;

/** The permission codes of which a call needs one; none where the level alone decides. */
export const codesOfCall = ({ code, anyOf }: Pick<Endpoint, 'code' | 'anyOf'>): readonly PermissionCode[] =>
  anyOf ?? (code === undefined ? [] : [code]);

/** A call that changes no record. */
export type Reading =
  | { readonly method: 'GET'; readonly reads?: never; readonly changes?: never }
  | { readonly method: 'POST'; readonly reads: true; readonly changes?: never };

/** A call that changes records. */
type Writing = { readonly method: 'POST'; readonly reads?: never; readonly changes: readonly Feature[] };

/** An endpoint that answers a page of rows. */
export type ListEndpoint = Endpoint & Reading & { readonly list: Listing };

/** Declares an endpoint and keeps its literal types; one that writes says what it changes. */
export const endpoint = <const E extends Endpoint & (Reading | Writing)>(definition: E): E => definition;

/** What a caller sends: fields with defaults may be left out. */
export type Input<E extends Endpoint> = z.input<E['input']>;
/** What a handler receives: validated, defaults filled in. */
export type Parsed<E extends Endpoint> = z.output<E['input']>;
/** What a handler returns and a caller gets. */
export type Result<E extends Endpoint> = z.output<E['result']>;
/** A row of what a list answers. */
export type RowOf<L extends ListEndpoint> =
  Result<L> extends Readonly<Record<L['list']['rows'], readonly (infer Row)[]>> ? Row : never;
/** Names of the fields of a list. */
export type FieldOf<L extends ListEndpoint> = keyof L['list']['fields'] & string;
