import { useForm } from '@mantine/form';
import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import { errno } from '@sonnenwarte/contract/errors';
import { type FormEvent, type RefObject, use, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ApiError } from '../client/failures.ts';
import type { Callable } from '../client/permit.ts';
import { useWrite } from '../client/queries.ts';
import { TabContext } from '../shell/tab-context.ts';
import { tabState } from '../shell/tab-state.ts';
import { onSessionEnd } from '../state/session.ts';
import {
  changedFields,
  draftKey,
  dropDraft,
  forgetDrafts,
  keepDraft,
  keepDraftsOf,
  NO_TAB,
  readDraft,
  withTypedSince,
} from './drafts.ts';
import { focusFirstRefused } from './focus.ts';
import { accepts, inputOf, valueAt } from './form-values.ts';
import { type Reason, type Refusal, reasonOf, refusalsOf, schemaRefusals } from './refusal.ts';

/** Name of a field, or the path to one inside it. */
export type FieldName<V extends object> = (keyof V & string) | `${keyof V & string}.${string}`;

type Errors = Readonly<Record<string, string>>;

/** Own words for a field's refusal: for every reason, or by reason. */
export type ReasonTexts = string | Readonly<Partial<Record<Reason, string>>>;

export interface EndpointFormOptions<E extends Endpoint, V extends object> {
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

export interface EndpointForm<V extends object> {
  readonly values: V;
  readonly valueOf: (name: FieldName<V>) => unknown;
  readonly setValue: (name: FieldName<V>, value: unknown) => void;
  readonly setValues: (values: Partial<V>) => void;
  readonly errorOf: (name: FieldName<V>) => string | undefined;
  readonly setError: (name: FieldName<V>, text: string) => void;
  /** The contract refuses the form without this field. */
  readonly isRequired: (name: FieldName<V>) => boolean;
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
  readonly element: RefObject<HTMLFormElement | null>;
}

tabState.subscribe(() => keepDraftsOf(new Set(tabState.get().list.map(({ id }) => id))));
onSessionEnd(forgetDrafts);

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
export function useEndpointForm<const E extends Callable, V extends object>(
  endpoint: E,
  options: EndpointFormOptions<E, V>,
): EndpointForm<V> {
  const { t } = useTranslation();
  const write = useWrite(endpoint, { inPlace: true });
  const tabId = use(TabContext)?.id ?? NO_TAB;
  const { initialValues, draft = String(valueAt(initialValues, 'id') ?? '') } = options;
  const key = draft === false ? undefined : draftKey(tabId, endpoint.path, draft);
  const draftNow = (): object => (key === undefined ? {} : readDraft(key));

  const [first] = useState<V>(() => ({ ...initialValues, ...draftNow() }));
  /** Where the form began: what differs from it was typed. */
  const baseline = useRef(initialValues);
  const [shownBaseline, showBaseline] = useState(initialValues);
  const [restored, setRestored] = useState(() => Object.keys(draftNow()).length > 0);
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const tried = useRef(false);
  const secrets = useRef(new Set<string>());
  /** What the server refused, with the value that it refused. */
  const refused = useRef<readonly { path: string; value: unknown; text: string }[]>([]);
  const element = useRef<HTMLFormElement>(null);

  const textOf = (refusal: Refusal, values: object): string => {
    const reason = reasonOf(refusal, valueAt(values, refusal.path));
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
    return { errors, stray };
  };

  const form = useForm<V>({
    initialValues: first,
    clearInputErrorOnChange: false,
    onValuesChange: (values) => {
      if (key !== undefined) keepDraft(key, changedFields(values, baseline.current, secrets.current));
      if (!tried.current) return;
      refused.current = refused.current.filter(({ path, value }) => valueAt(values, path) === value);
      const fromServer = Object.fromEntries(refused.current.map(({ path, text }) => [path, text]));
      form.setErrors({ ...fromServer, ...localErrors(values).errors });
    },
  });

  const [attempt, setAttempt] = useState(0);
  const focused = useRef(0);
  useEffect(() => {
    if (focused.current === attempt) return;
    focused.current = attempt;
    focusFirstRefused(element.current);
  }, [attempt]);

  const show = (errors: Errors) => {
    form.setErrors(errors);
    setAttempt((count) => count + 1);
  };

  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault();
    event?.stopPropagation();
    if (running.current) return;
    const values = form.getValues();
    const { errors, stray } = localErrors(values);
    tried.current = true;
    refused.current = [];
    setFailure(stray.length > 0 ? new ApiError(errno.refusedInput, '', { fields: stray }) : undefined);
    if (Object.keys(errors).length > 0 || stray.length > 0) return show(errors);
    form.setErrors({});
    running.current = true;
    setBusy(true);
    let result: Result<E>;
    try {
      result = await write.mutateAsync(inputNow(values) as Input<E>);
    } catch (error) {
      const { shown, stray: others } = byField(refusalsOf(error), values);
      refused.current = shown.map((refusal) => ({
        path: refusal.path,
        value: valueAt(form.getValues(), refusal.path),
        text: textOf(refusal, values),
      }));
      if (shown.length === 0 || others.length > 0) setFailure(error);
      return show(Object.fromEntries(refused.current.map(({ path, text }) => [path, text])));
    } finally {
      running.current = false;
      setBusy(false);
    }
    if (key !== undefined) dropDraft(key);
    const emptied = Object.fromEntries([...secrets.current].map((name) => [name, valueAt(initialValues, name) ?? '']));
    const saved: V = { ...values, ...emptied };
    restart(saved, withTypedSince(saved, values, form.getValues()));
    await options.onDone?.(result, values);
  };

  const restart = (from: V, values: V) => {
    tried.current = false;
    refused.current = [];
    baseline.current = from;
    showBaseline(from);
    setFailure(undefined);
    setRestored(false);
    form.setErrors({});
    form.setValues(values);
  };

  return {
    values: form.values,
    valueOf: (name) => valueAt(form.values, name),
    setValue: (name, value) => form.setFieldValue(name, value as never),
    setValues: (values) => form.setValues(values),
    errorOf: (name) => {
      const error = form.errors[name];
      return typeof error === 'string' ? error : undefined;
    },
    setError: (name, text) => form.setFieldError(name, text),
    isRequired: (name) => !accepts(endpoint.input, name),
    dirty: Object.keys(changedFields(form.values, shownBaseline, new Set())).length > 0,
    busy,
    failure,
    restored,
    submit,
    begin: () => {
      const typed = draftNow();
      restart(initialValues, { ...initialValues, ...typed });
      setRestored(Object.keys(typed).length > 0);
    },
    discard: () => {
      if (key !== undefined) dropDraft(key);
      restart(initialValues, initialValues);
    },
    keepSecret: (name) => void secrets.current.add(name),
    element,
  };
}
