import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { ReadRows, ReportColumn, ReportLine } from './canonical.ts';
import { localTimeText } from './time-texts.ts';

/** Values that are packed at once, for as long as which nothing else has its turn. */
const VALUES_AT_ONCE = 30_000;
const FEWEST_ROWS = 500;
const CREATED_BY = 'Sonnenwarte';

/** For programs: kind, point and unit, the same in every language. */
const nameOf = ({ of, variable, unit, way }: ReportColumn): string =>
  [of === 'plant' ? variable : `${of}.${variable}`, ...(way === 'told' || way === 'sum' ? [] : [way])].join('.') +
  (unit === '' || unit === '1' ? '' : ` (${unit})`);

/** A report as Parquet, made group by group: times as instants of UTC and as texts of the plant's clock, values as doubles. */
export async function* parquetOf({ head, rows }: ReadRows): AsyncGenerator<Uint8Array> {
  const perGroup = Math.max(FEWEST_ROWS, Math.floor(VALUES_AT_ONCE / (head.columns.length + 6)));
  const named = head.columns.map(nameOf);
  const writer = new ByteWriter();
  const columnsOf = (lines: readonly { readonly part: number; readonly line: ReportLine }[]): ColumnSource[] => {
    const parts = lines.map(({ part }) => head.parts[part]);
    const values = head.columns.map((): (number | null)[] => lines.map(() => null));
    for (const [row, { line }] of lines.entries())
      for (const [place, column] of (parts[row]?.columns ?? []).entries()) {
        const list = values[column];
        if (list !== undefined) list[row] = line.values[place] ?? null;
      }
    const texts = (name: string, data: string[]): ColumnSource => ({ name, data, type: 'STRING', nullable: false });
    return [
      texts(
        'plant',
        parts.map((part) => part?.plantName ?? ''),
      ),
      ...(head.source === 'devices'
        ? [
            texts(
              'device',
              parts.map((part) => part?.name ?? ''),
            ),
          ]
        : []),
      texts(
        'time_zone',
        parts.map((part) => part?.timeZone ?? ''),
      ),
      { name: 'time_utc', data: lines.map(({ line }) => new Date(line.tsMs)), type: 'TIMESTAMP', nullable: false },
      texts(
        'time_local',
        lines.map(({ line }, row) => localTimeText(line.tsMs, parts[row]?.timeZone ?? 'UTC')),
      ),
      ...values.map(
        (data, place): ColumnSource => ({
          name: named[place] ?? '',
          data,
          type: 'DOUBLE',
          nullable: true,
          encoding: 'PLAIN',
        }),
      ),
      texts(
        'quality',
        lines.map(({ line }) => line.quality),
      ),
    ];
  };
  const parquet = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
    statistics: false,
    createdBy: CREATED_BY,
  });
  /** What was written since; places in the file are counted on. */
  const taken = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let lines: { readonly part: number; readonly line: ReportLine }[] = [];
  const write = async () => {
    if (lines.length > 0) await parquet.write({ columnData: columnsOf(lines), rowGroupSize: lines.length });
    lines = [];
  };
  for await (const row of rows) {
    lines.push(row);
    if (lines.length < perGroup) continue;
    await write();
    yield taken();
  }
  await write();
  await parquet.finish();
  yield taken();
}
