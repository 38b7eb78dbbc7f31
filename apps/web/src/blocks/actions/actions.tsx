import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import type { Catalogue } from '@sonnenwarte/phrases/catalogue';
import type { Icon } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { type ComponentType, lazy, type ReactNode } from 'react';
import type { Permitted } from '../../client/permit.ts';
import { write } from '../../client/queries.ts';
import { openScreen, type ScreenTarget } from '../show/screen-link.tsx';
import { ActionQuestion } from './action-question.tsx';

/** Where the texts of actions stand: a feature, or a part of it. */
type TextsAt<Path extends string> = Path extends keyof Catalogue
  ? Catalogue[Path]
  : Path extends `${infer F extends keyof Catalogue}.${infer Part}`
    ? Part extends keyof Catalogue[F]
      ? Catalogue[F][Part]
      : never
    : never;

/** Names of the actions that have a label, `<feature>.action.<name>`. */
type Labelled<Path extends string> = TextsAt<Path> extends { action: infer Labels } ? keyof Labels & string : never;

/** Actions that many kinds of record have, with words of their own. */
type Shared = 'viewAs' | 'look';

type AnswerOf<Row> = Row extends { can: infer Can } ? keyof Can & string : never;

export interface ActionOptions<Row> {
  icon?: Icon;
  danger?: true;
  /** Records that have this action at all; else all have it. */
  when?: (row: Row) => boolean;
  /** The answer of `row.can` that it needs, where that has another name than the action. */
  can?: AnswerOf<Row>;
  /** A click on the row does it where it can be done, as does the first action. */
  opensRow?: true;
  /** Words that are not `<feature>.action.<name>`. */
  label?: (row: Row, t: TFunction) => string;
}

/** What an opened action is told. */
export interface ActionProps<Row, E = unknown> {
  row: Row;
  of: Permitted<E>;
  onClose: () => void;
  /** The call has succeeded. */
  onDone: () => void;
  words: { label: string; name: string; question: string };
}

/** Something that can be done with a record, by the call that it makes. */
export interface Action<Row> extends ActionOptions<Row> {
  readonly of: Endpoint;
  /** The dialog is a question, `<feature>.ask.<name>`. */
  readonly asks?: true;
  /** Opens; without it the call is sent at once. */
  readonly Dialog?: ComponentType<ActionProps<Row>>;
  readonly send?: (row: Row, of: Permitted<unknown>, t: TFunction) => Promise<void>;
}

/** All that can be done with a kind of record; the first is what a click on its row does. */
export interface ActionTable<Row> {
  /** Where the texts stand. */
  readonly texts: string;
  readonly nameOf: (row: Row) => string;
  /** Why `row.can` forbids an action; without it such an action is not offered. */
  readonly whyNot?: (row: Row, t: TFunction) => string;
  readonly actions: Readonly<Record<string, Action<Row>>>;
}

interface QuestionOptions<Row, E extends Endpoint> extends ActionOptions<Row> {
  /** The question is as serious as one that deletes. */
  grave?: true;
  /** What it will mean, above the text of the question. */
  meaning?: (row: Row) => ReactNode;
  /** What stands there once it is done: a password that is shown this once. */
  answer?: (result: Result<E>, row: Row, onClose: () => void) => ReactNode;
}

interface TableOptions<Row> {
  nameOf: (row: Row) => string;
  whyNot?: (row: Row, t: TFunction) => string;
}

/** How the actions of a kind of record are declared. */
export const actionsOf = <Row,>() => ({
  /** Opens a dialog, whose code is fetched then. */
  opens: <const E extends Endpoint>(
    of: E,
    load: () => Promise<ComponentType<ActionProps<Row, E>>>,
    options: ActionOptions<Row> = {},
  ): Action<Row> => ({
    ...options,
    of,
    Dialog: lazy(async () => ({ default: (await load()) as ComponentType<ActionProps<Row>> })),
  }),

  /** Asks first, with `<feature>.ask.<name>`, then sends. */
  asks: <const E extends Endpoint>(
    of: E,
    input: (row: Row) => Input<NoInfer<E>>,
    { meaning, answer, grave, ...options }: QuestionOptions<Row, E> = {},
  ): Action<Row> => ({
    ...options,
    of,
    asks: true,
    Dialog: (props) => (
      <ActionQuestion
        {...props}
        send={() => write<Permitted<E>>(props.of as Permitted<E>, input(props.row), { inPlace: true })}
        danger={options.danger ?? grave ?? false}
        meaning={meaning?.(props.row)}
        answer={answer && ((result) => answer(result as Result<E>, props.row, props.onClose))}
      />
    ),
  }),

  /** Sends at once. */
  sends: <const E extends Endpoint>(
    of: E,
    input: (row: Row) => Input<NoInfer<E>>,
    { told, ...options }: ActionOptions<Row> & { told?: (result: Result<E>, row: Row, t: TFunction) => void } = {},
  ): Action<Row> => ({
    ...options,
    of,
    send: async (row, of, t) => {
      const result = await write<Permitted<E>>(of as Permitted<E>, input(row));
      told?.(result, row, t);
    },
  }),

  /** Leads to the screen on which the call is made. */
  leads: <const E extends Endpoint>(
    of: E,
    target: (row: Row) => ScreenTarget,
    options: ActionOptions<Row> = {},
  ): Action<Row> => ({ ...options, of, send: async (row) => openScreen(target(row)) }),

  table: <const Path extends string>(
    texts: Path,
    options: TableOptions<Row>,
    actions: Readonly<Partial<Record<Labelled<Path> | Shared, Action<Row>>>>,
  ): ActionTable<Row> => ({ ...options, texts, actions: actions as ActionTable<Row>['actions'] }),
});
