import * as z from 'zod/mini';
import type { Endpoint, FieldOf, ListEndpoint, RecordKind } from './endpoint.ts';
import type { Fields } from './kinds.ts';
import type { paging } from './lists.ts';
import type { PermissionCode } from './permissions.ts';

export const exportFormats = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Rows that one file can hold: what a sheet of the usual programs can show, rounded down. */
export const MAX_EXPORT_ROWS = 1_000_000;

type Unpaged<Shape> = Omit<Shape, keyof typeof paging>;
type ShapeOf<L extends Endpoint> = L['input'] extends z.ZodMiniObject<infer Shape> ? Shape : never;

/** Names of fields, each at most once, in the order of the file. */
const columnsOf = (fields: Fields) =>
  z
    .array(z.enum(Object.keys(fields)))
    .check(z.minLength(1), z.maxLength(Object.keys(fields).length))
    .check(z.refine((chosen) => new Set(chosen).size === chosen.length, { error: 'duplicate' }));

/** What an export asks for beyond the filters and the order of its list. */
type ExportInput<L extends ListEndpoint> = {
  format: z.ZodMiniDefault<z.ZodMiniEnum<{ csv: 'csv'; xlsx: 'xlsx' }>>;
  columns: z.ZodMiniArray<z.ZodMiniEnum<{ [Name in FieldOf<L>]: Name }>>;
};

export interface ExportEndpoint<L extends ListEndpoint> {
  readonly method: 'POST';
  readonly path: `${L['path']}/export`;
  readonly feature: L['feature'];
  readonly summary: string;
  readonly callers: L['callers'];
  readonly code?: PermissionCode;
  readonly anyOf?: NonNullable<Endpoint['anyOf']>;
  readonly input: z.ZodMiniObject<Unpaged<ShapeOf<L>> & ExportInput<L>>;
  readonly result: z.ZodMiniNull;
  readonly file: true;
  readonly reads: true;
  readonly names?: Readonly<Record<string, RecordKind>>;
  /** The list whose rows it holds. */
  readonly fileOf: L;
}

/**
 * The sibling of a list that answers with a file of all rows that its filters let through: same callers, code and
 * input, without paging, with `format` and the `columns` wanted out of the list's fields.
 */
export function exportOf<const L extends ListEndpoint>(list: L): ExportEndpoint<L> {
  const { pageSize: _, currentPage: __, total: ___, ...unpaged } = list.input.shape as Record<string, z.ZodMiniType>;
  return {
    method: 'POST',
    path: `${list.path}/export`,
    feature: list.feature,
    summary: `${list.summary.replace(/, by page, filter and order\.$|\.$/, '')}, as a CSV or XLSX file.`,
    callers: list.callers,
    ...(list.code !== undefined && { code: list.code }),
    ...(list.anyOf !== undefined && { anyOf: list.anyOf }),
    input: z.object({
      ...unpaged,
      format: z._default(z.enum(exportFormats), 'csv'),
      columns: columnsOf(list.list.fields),
    }),
    result: z.null(),
    file: true,
    reads: true,
    fileOf: list,
    ...(list.names !== undefined && { names: list.names }),
  } as unknown as ExportEndpoint<L>;
}
