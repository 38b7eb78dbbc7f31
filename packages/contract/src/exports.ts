import * as z from 'zod/mini';
import type { Endpoint, RecordKind } from './endpoint.ts';
import type { paging } from './lists.ts';
import type { PermissionCode } from './permissions.ts';

export const exportFormats = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Rows that one file can hold: what a sheet of the usual programs can show, rounded down. */
export const MAX_EXPORT_ROWS = 1_000_000;

type Names = readonly [string, ...string[]];
type Unpaged<Shape> = Omit<Shape, keyof typeof paging>;
type ShapeOf<L extends Endpoint> = L['input'] extends z.ZodMiniObject<infer Shape> ? Shape : never;

/** `columns` with every name of `C` once each, in the order of the file. */
const columnsOf = <const C extends Names>(columns: C) =>
  z
    .array(z.enum(columns))
    .check(z.minLength(1), z.maxLength(columns.length))
    .check(z.refine((chosen) => new Set(chosen).size === chosen.length, { error: 'duplicate' }));

/** What an export asks for beyond the filters and the order of its list. */
export type ExportInput<C extends Names> = {
  format: z.ZodMiniDefault<z.ZodMiniEnum<{ csv: 'csv'; xlsx: 'xlsx' }>>;
  columns: z.ZodMiniArray<z.ZodMiniEnum<{ [Name in C[number]]: Name }>>;
};

export interface ExportEndpoint<L extends Endpoint, C extends Names> {
  readonly method: 'POST';
  readonly path: `${L['path']}/export`;
  readonly feature: L['feature'];
  readonly summary: string;
  readonly callers: L['callers'];
  readonly code?: PermissionCode;
  readonly anyOf?: NonNullable<Endpoint['anyOf']>;
  readonly input: z.ZodMiniObject<Unpaged<ShapeOf<L>> & ExportInput<C>>;
  readonly result: z.ZodMiniNull;
  readonly file: true;
  readonly reads: true;
  readonly names?: Readonly<Record<string, RecordKind>>;
}

/**
 * The sibling of a list that answers with a file of all rows that its filters let through: same callers, code and
 * input, without paging, with `format` and the `columns` wanted out of a closed list.
 */
export function exportOf<const L extends Endpoint, const C extends Names>(list: L, columns: C): ExportEndpoint<L, C> {
  const { pageSize: _, currentPage: __, total: ___, ...unpaged } = list.input.shape as Record<string, z.ZodMiniType>;
  return {
    method: 'POST',
    path: `${list.path}/export`,
    feature: list.feature,
    summary: `${list.summary.replace(/, by page, filter and order\.$|\.$/, '')}, as a CSV or XLSX file.`,
    callers: list.callers,
    ...(list.code !== undefined && { code: list.code }),
    ...(list.anyOf !== undefined && { anyOf: list.anyOf }),
    input: z.object({ ...unpaged, format: z._default(z.enum(exportFormats), 'csv'), columns: columnsOf(columns) }),
    result: z.null(),
    file: true,
    reads: true,
    ...(list.names !== undefined && { names: list.names }),
  } as unknown as ExportEndpoint<L, C>;
}
