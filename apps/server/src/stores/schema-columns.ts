import type { ColumnType } from 'kysely';

export type CreatedAt = ColumnType<Date, Date | undefined, Date>;
export type Json<T> = ColumnType<T, string, string>;
/** numeric and date columns arrive as strings: no rounding, no time zone. */
export type Decimal = ColumnType<string | null, string | number | null | undefined, string | number | null>;
export type Day = ColumnType<string | null, string | null | undefined, string | null>;
