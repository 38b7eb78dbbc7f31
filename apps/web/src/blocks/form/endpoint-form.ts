import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { schemaAt, type TextFacts, textFacts } from '@sonnenwarte/contract/schema-at';
import { type FormEvent, type RefObject, use, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiError } from '../../client/failures.ts';
import type { Callable } from '../../client/permit.ts';
import { useWrite } from '../../client/queries.ts';
import { onSessionEnd } from '../../state/session.ts';
import { TabContext } from '../../tabs/tab-context.ts';
import { tabState } from '../../tabs/tab-state.ts';
import { focusFirstRefused } from '../overlay/focus.ts';
import { draftKey, dropDraft, forgetDrafts, keepDraft, keepDraftsOf, NO_TAB, readDraft } from './drafts.ts';
import { createRowKeys, inserted, moved, pathAfter, type RowMove, removed, withMoved } from './form-lists.ts';
import { accepts, changedFields, inputOf, valueAt, withChanges, withoutValues, withValueAt } from './form-values.ts';
import { type Reason, type Refusal, reasonOf, refusalsOf, schemaRefusals } from './refusal.ts';

/** Name of a field, or the path to one inside it. */
export type FieldName<V extends object> = (keyof V & string) | `${keyof V & string}.${string}`;

type Errors = Readonly<Record<string, string>>;

/** Own words for a field's refusal: for every reason, or by reason. */
export type ReasonTexts = string | Readonly<Partial<Record<Reason, string>>>;

export interface EndpointFormOptions<E extends Endpoint, V extends object, F extends string = E['feature']> {
  /** The feature whose texts name the fields, where it is not the endpoint's. */
  texts?: F;
  initialValues: V;
  /** After success, with the answer; closes a dialog, leads on. */
  onDone?: (result: Result<E>, values: V) => unknown;
  /** Makes the call's input of the values; needed where names or types differ. Fields that the call does not know, and empty optional ones, are left out anyway. */
  prepare?: (values: V) => { readonly [K in keyof Input<E>]: unknown };
  /** What the schema cannot know, for example that two passwords are the same: texts by field. */
  check?: (values: V) => Partial<Record<FieldName<V>, string | undefined>>;
  /** Own words for refusals, by field. */
  reasons?: Partial<Record<FieldName<V>, ReasonTexts>>;
  /** Which record the typed text belongs to (`initialValues.id` where there is one); `false` keeps no draft. */
  draft?: string | false;
}

/** A row of a repeated group. */
export interface FormRow<N extends string> {
  /** Stays the row's own wherever it moves. */
  readonly key: number;
  /** Path of the row: what lies in it begins with this and a dot. */
  readonly path: `${N}.${number}`;
}

/** `F` is the feature whose fields the form fills in: its texts name them. */
export interface EndpointForm<V extends object, F extends string = string> {
  readonly feature: F;
  readonly values: V;
  readonly valueOf: (name: FieldName<V>) => unknown;
  readonly setValue: (name: FieldName<V>, value: unknown) => void;
  readonly setValues: (values: Partial<V>) => void;
  readonly errorOf: (name: FieldName<V>) => string | undefined;
  readonly setError: (name: FieldName<V>, text: string) => void;
  /** The contract refuses the form without this field. */
  readonly isRequired: (name: FieldName<V>) => boolean;
  /** What the contract says of a text. */
  readonly factsOf: (name: FieldName<V>) => TextFacts;
  /** The rows of a repeated group. */
  readonly rowsOf: <N extends FieldName<V>>(list: N) => readonly FormRow<N>[];
  readonly insertRow: (list: FieldName<V>, at: number, row: unknown) => void;
  readonly removeRow: (list: FieldName<V>, at: number) => void;
  readonly moveRow: (list: FieldName<V>, from: number, to: number) => void;
  /** Something was typed that is not saved. */
  readonly dirty: boolean;
  /** The call is running. */
  readonly busy: boolean;
  /** Failure that is no field's. */
  readonly failure: unknown;
  /** What was typed before the screen went away is shown again. */
  readonly restored: boolean;
  readonly submit: (event?: FormEvent) => Promise<void>;
  /** Begins with the newest `initialValues` and what was kept of them. */
  readonly begin: () => void;
  /** Back to `initialValues`; what was typed is forgotten. */
  readonly discard: () => void;
  /** Names a field whose text is never stored. */
  readonly keepSecret: (name: string) => void;
  /** Names a field that must be filled in although the schema does not say so, until the returned function is called. */
  readonly need: (name: string) => () => void;
  readonly element: RefObject<HTMLFormElement | null>;
}

tabState.subscribe(() => keepDraftsOf(new Set(tabState.get().list.map(({ id }) => id))));
onSessionEnd(forgetDrafts);

const NO_FACTS: TextFacts = { maxLength: undefined, format: undefined };

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Every row of a list for one of them: `users.3.password` is `users.*.password`. */
const ofAllRows = (path: string): string => path.replaceAll(/\.\d+(?=\.|$)/g, '.*');

/** Fields that hold the refusals, and those that no field can show. */
function byField(refusals: readonly Refusal[], values: object): { shown: Refusal[]; stray: Refusal[] } {
  const known = (path: string): boolean => Object.hasOwn(values, path.split('.')[0] ?? '');
  return {
    shown: refusals.filter(({ path }) => known(path)),
    stray: refusals.filter(({ path }) => !known(path)),
  };
}

/**
 * A form that sends one call: its values are checked by the contract's schema, what is refused stands at its field,
 * every other failure in the form; nothing typed is ever lost.
 */
export function useEndpointForm<const E extends Callable, V extends object, const F extends string = E['feature']>(
  endpoint: E,
  options: EndpointFormOptions<E, V, F>,
): EndpointForm<V, F> {
  const { t } = useTranslation();
  const write = useWrite(endpoint, { inPlace: true });
  const tabId = use(TabContext)?.id ?? NO_TAB;
  const { initialValues, draft = String(valueAt(initialValues, 'id') ?? '') } = options;
  const key = draft === false ? undefined : draftKey(tabId, endpoint.path, draft);
  const draftNow = (): object => (key === undefined ? {} : readDraft(key));

  const [first] = useState<V>(() => withChanges(initialValues, draftNow()));
  /** Where the form began: what differs from it was typed. */
  const baseline = useRef(initialValues);
  const [shownBaseline, showBaseline] = useState(initialValues);
  const [restored, setRestored] = useState(() => Object.keys(draftNow()).length > 0);
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const tried = useRef(false);
  const secrets = useRef(new Set<string>());
  const needed = useRef(new Set<string>());
  const need = useCallback((name: string) => {
    needed.current.add(name);
    return () => void needed.current.delete(name);
  }, []);
  /** What the server refused, with the value that it refused. */
  const refused = useRef<readonly { path: string; value: unknown; text: string }[]>([]);
  const element = useRef<HTMLFormElement>(null);
  const [rowKeys] = useState(createRowKeys);
  const [now, setNow] = useState<{ values: V; errors: Errors }>({ values: first, errors: {} });
  /** What the form holds now, also between two renderings. */
  const latest = useRef(first);

  const factsOf = (path: string): TextFacts => {
    const schema = schemaAt(endpoint.input, path);
    return schema ? textFacts(schema) : NO_FACTS;
  };

  const textOf = (refusal: Refusal, values: object): string => {
    const reason = reasonOf(refusal, valueAt(values, refusal.path), factsOf(refusal.path).format);
    const own = options.reasons?.[refusal.path as FieldName<V>];
    // A sign that is not seen must be named, or nobody finds it.
    if (typeof own === 'string' && reason !== 'unprintable') return own;
    const count = Number(refusal.params.min ?? refusal.params.max ?? 0);
    return (typeof own === 'object' ? own[reason] : undefined) ?? t(`blocks.reason.${reason}`, { count });
  };

  const inputNow = (values: V): object => inputOf(endpoint.input, options.prepare?.(values) ?? values);

  const localErrors = (values: V): { errors: Errors; stray: readonly Refusal[] } => {
    const parsed = z.safeParse(endpoint.input, inputNow(values));
    const { shown, stray } = byField(parsed.success ? [] : schemaRefusals(parsed.error), values);
    const errors: Record<string, string> = {};
    for (const refusal of shown) errors[refusal.path] ??= textOf(refusal, values);
    for (const [name, text] of Object.entries(options.check?.(values) ?? {})) {
      if (typeof text === 'string') errors[name] ??= text;
    }
    for (const name of needed.current) {
      const path = name as FieldName<V>;
      if (isEmpty(valueAt(values, path))) errors[path] ??= textOf({ path, reason: 'required', params: {} }, values);
    }
    return { errors, stray };
  };

  const put = (values: V, errors: Errors) => {
    latest.current = values;
    setNow({ values, errors });
  };

  const change = (values: V) => {
    if (key !== undefined) {
      const typed = withoutValues(changedFields(values, baseline.current), secrets.current, undefined);
      keepDraft(key, JSON.parse(JSON.stringify(typed)));
    }
    if (!tried.current) return put(values, now.errors);
    refused.current = refused.current.filter(({ path, value }) => valueAt(values, path) === value);
    const fromServer = Object.fromEntries(refused.current.map(({ path, text }) => [path, text]));
    put(values, { ...fromServer, ...localErrors(values).errors });
  };

  const rowsAt = (list: string): readonly unknown[] => {
    const rows = valueAt(latest.current, list);
    return Array.isArray(rows) ? rows : [];
  };

  /** A change of a list: what is known of its rows goes with them. */
  const changeRows = (list: string, move: RowMove, rows: readonly unknown[]) => {
    rowKeys.follow(list, move, rowsAt(list).length, rows.length);
    refused.current = refused.current.flatMap((each) => {
      const path = pathAfter(each.path, list, move);
      return path === undefined ? [] : [{ ...each, path }];
    });
    change(withValueAt(latest.current, list, rows));
  };

  const [attempt, setAttempt] = useState(0);
  const focused = useRef(0);
  useEffect(() => {
    if (focused.current === attempt) return;
    focused.current = attempt;
    focusFirstRefused(element.current);
  }, [attempt]);

  const show = (errors: Errors) => {
    put(latest.current, errors);
    setAttempt((count) => count + 1);
  };

  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    event?.stopPropagation();
    if (running.current) return;
    const values = latest.current;
    const { errors, stray } = localErrors(values);
    tried.current = true;
    refused.current = [];
    setFailure(stray.length > 0 ? new ApiError(errno.refusedInput, '', { fields: stray }) : undefined);
    if (Object.keys(errors).length > 0 || stray.length > 0) return show(errors);
    put(values, {});
    running.current = true;
    setBusy(true);
    let result: Result<E>;
    try {
      result = await write.mutateAsync(inputNow(values) as Input<E>);
    } catch (error) {
      const { shown, stray: others } = byField(refusalsOf(error), values);
      refused.current = shown.map((refusal) => ({
        path: refusal.path,
        value: valueAt(latest.current, refusal.path),
        text: textOf(refusal, values),
      }));
      if (shown.length === 0 || others.length > 0) setFailure(error);
      return show(Object.fromEntries(refused.current.map(({ path, text }) => [path, text])));
    } finally {
      running.current = false;
      setBusy(false);
    }
    if (key !== undefined) dropDraft(key);
    const saved = withoutValues(values, secrets.current, '');
    // What was typed while the save ran stays.
    restart(saved, withChanges(saved, changedFields(latest.current, values)));
    await options.onDone?.(result, values);
  };

  const restart = (from: V, values: V) => {
    refused.current = [];
    baseline.current = from;
    showBaseline(from);
    setFailure(undefined);
    setRestored(false);
    tried.current = false;
    latest.current = values;
    if (Object.keys(changedFields(values, from)).length > 0) change(values);
    else put(values, {});
  };

  return {
    // Without `texts`, `F` is the endpoint's.
    feature: (options.texts ?? endpoint.feature) as F,
    values: now.values,
    valueOf: (name) => valueAt(now.values, name),
    setValue: (name, value) => change(withValueAt(latest.current, name, value)),
    setValues: (values) => change({ ...latest.current, ...values }),
    errorOf: (name) => now.errors[name],
    setError: (name, text) => put(latest.current, { ...now.errors, [name]: text }),
    isRequired: (name) => !accepts(endpoint.input, name),
    factsOf,
    rowsOf: (list) =>
      rowKeys.of(list, rowsAt(list).length).map((key, index) => ({ key, path: `${list}.${index}` as const })),
    insertRow: (list, at, row) => changeRows(list, inserted(at), rowsAt(list).toSpliced(at, 0, row)),
    removeRow: (list, at) => changeRows(list, removed(at), rowsAt(list).toSpliced(at, 1)),
    moveRow: (list, from, to) => changeRows(list, moved(from, to), withMoved(rowsAt(list), from, to)),
    dirty: Object.keys(changedFields(now.values, shownBaseline)).length > 0,
    busy,
    failure,
    restored,
    submit,
    begin: () => {
      const typed = draftNow();
      restart(initialValues, withChanges(initialValues, typed));
      setRestored(Object.keys(typed).length > 0);
    },
    discard: () => {
      if (key !== undefined) dropDraft(key);
      restart(initialValues, initialValues);
    },
    keepSecret: (name) => void secrets.current.add(ofAllRows(name)),
    need,
    element,
  };
}
