import type { FieldOf, ListEndpoint, RowOf } from '@sonnenwarte/contract/endpoint';
import { type Field, type FieldOfKind, isQuantity } from '@sonnenwarte/contract/kinds';
import type { Level } from '@sonnenwarte/contract/levels';
import type { Quality, State } from '@sonnenwarte/contract/status';
import type { ParseKeys } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { NOT_MEASURED } from '../../format/quantities.ts';
import { type Format, useFormat } from '../../format/use-format.ts';
import { LevelBadge } from '../show/badge.tsx';
import { QualityMark } from '../show/key-figure.tsx';
import { StatusTag } from '../show/status-tag.tsx';
import styles from './columns.module.css';
import { useListText } from './list-text.ts';
import type { List } from './use-list.ts';

export interface Column<Row> {
  /** Name of the column; where it can be sorted, the sort field of the endpoint. */
  field: string;
  header: string;
  /** Of all its numbers. */
  unit?: string;
  cell: (row: Row) => ReactNode;
  /** On a phone's card, where no header says the unit. */
  inCard?: (row: Row) => ReactNode;
  sortable?: boolean;
  /** Numbers stand at the end. */
  align?: 'start' | 'end';
  /** Place on a phone's card: its heading, beside it, a figure, or the line at its foot; without one it is left out. */
  card?: 'title' | 'aside' | 'figure' | 'foot';
  /** Shown only once chosen. */
  optional?: boolean;
  /** Definition of the figure, on hover and focus. */
  hint?: string;
  /** Stays at the right where the table scrolls sideways: the last of the columns. */
  stays?: boolean;
  /** Leaves where not all columns have room, the lowest first; chosen, it stays. */
  yields?: number;
}

type OwnFieldOf<L extends ListEndpoint> = FieldOfKind<L['list']['fields'], 'own'>;

/** A field that a list shows, in its place; `cell` gets what its kind would show. A field of no kind cannot do without. */
export type ShownField<L extends ListEndpoint> = Pick<Column<unknown>, 'card' | 'optional' | 'stays' | 'yields'> & {
  /** Key of the header, where the column tells more than its field. */
  headerKey?: ParseKeys;
  /** Key of the definition that the header tells. */
  meaning?: ParseKeys;
} & (
    | { field: Exclude<FieldOf<L>, OwnFieldOf<L>>; cell?: (row: RowOf<L>, plain: ReactNode) => ReactNode }
    | { field: OwnFieldOf<L>; cell: (row: RowOf<L>) => ReactNode }
  );

interface Words {
  format: Format;
  choice: ReturnType<typeof useListText>['choice'];
}

const valueIn = (row: unknown, field: string): unknown => (row as Readonly<Record<string, unknown>>)[field];

/** What a kind shows of a value, numbers aside: these need their column. */
function plainCell(field: Field, value: unknown, { format, choice }: Words): ReactNode {
  if (value === null || value === undefined || value === '') return NOT_MEASURED;
  switch (field.kind) {
    case 'serial':
      return (
        <span className={styles.serial} translate="no">
          {String(value)}
        </span>
      );
    case 'country':
      return format.country(String(value));
    case 'state':
      return <StatusTag state={value as State} />;
    case 'level':
      return <LevelBadge level={value as Level} />;
    case 'choice':
      return choice(field, value as string | number);
    case 'time':
      return format.localTime(Number(value));
    default:
      return <Text text={String(value)} />;
  }
}

/** So many letters fit a column. */
const SHORT = 24;

/** A text; one too long for a column ends in "…" there. */
function Text({ text }: { text: string }): ReactNode {
  if (text.length <= SHORT) return text;
  return (
    <span className={styles.long} title={text}>
      {text}
    </span>
  );
}

const amountIn = (row: unknown, field: string): number | null => {
  const value = valueIn(row, field);
  return typeof value === 'number' ? value : null;
};

/** How the fields of a list are shown: what they are says the contract, which of them and where the screen. */
export function useColumns<const L extends ListEndpoint>(
  { endpoint, rows = [] }: Pick<List<L>, 'endpoint' | 'rows'>,
  shown: readonly ShownField<L>[],
): readonly Column<RowOf<L>>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { label, choice } = useListText();
  return useMemo(() => {
    const { fields } = endpoint.list;
    return shown.flatMap(
      ({ field: name, card, optional, stays, yields, headerKey, meaning, cell }): Column<RowOf<L>>[] => {
        const field = fields[name];
        if (field === undefined) return [];
        const slot = cell as ((row: RowOf<L>, plain: ReactNode) => ReactNode) | undefined;
        const within = (plain: (row: RowOf<L>) => ReactNode) => (row: RowOf<L>) =>
          slot ? slot(row, plain(row)) : plain(row);
        const column = {
          field: name,
          header: headerKey ? t(headerKey) : label(endpoint, name),
          ...(field.sort === false ? {} : { sortable: true }),
          ...(card && { card }),
          ...(optional && { optional }),
          ...(stays && { stays }),
          ...(yields !== undefined && { yields }),
          ...(meaning && { hint: t(meaning) }),
        };
        if (!isQuantity(field)) {
          return [{ ...column, cell: within((row) => plainCell(field, valueIn(row, name), { format, choice })) }];
        }
        const { kind, quality } = field;
        const { unit, text, withUnit } = format.column(
          kind,
          rows.map((row) => amountIn(row, name)),
        );
        const marked = (row: RowOf<L>, amount: string): ReactNode =>
          quality === undefined ? (
            amount
          ) : (
            <span className={styles.figure}>
              {amount}
              <QualityMark quality={valueIn(row, quality) as Quality} />
            </span>
          );
        return [
          {
            ...column,
            ...(unit !== '' && { unit }),
            align: 'end',
            cell: within((row) => marked(row, text(amountIn(row, name)))),
            inCard: within((row) => marked(row, withUnit(amountIn(row, name)))),
          },
        ];
      },
    );
  }, [endpoint, rows, shown, t, format, label, choice]);
}
