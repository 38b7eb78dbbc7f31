import type { LiveEvent } from '@sonnenwarte/contract/live/live';
import type { Scope } from '../access/scope.ts';
import type { KeptFrom, LiveNews } from '../changes/live-bus.ts';
import type { LiveStream } from './live-stream.ts';

/** What several streams may look at together. Of the fleet there is one per scope. */
export type SubjectName =
  | { readonly kind: 'site' | 'device' | 'handover'; readonly id: string; readonly key: number }
  | { readonly kind: 'settings' | 'group' | 'messages'; readonly id: string }
  | { readonly kind: 'incidents' | 'workOrders' | 'faultRecords' | 'burnIn' }
  | { readonly kind: 'workOrderNotes'; readonly id: string; readonly organisationID: string }
  | { readonly kind: 'fleet'; readonly scope: Scope };

/** One stream's look at a subject. */
export interface Watch {
  readonly stream: LiveStream;
  readonly subject: Subject;
  /** Name by which the caller asked. */
  readonly wanted: string;
  sentMs: number;
  /** Has not yet been sent what is newest. */
  isBehind: boolean;
}

export interface Subject {
  name: SubjectName;
  readonly mapKey: string;
  readonly watches: Set<Watch>;
  /** Newest state read; undefined before the first. */
  event: LiveEvent | undefined;
  /** Changed since the newest read began. */
  isDirty: boolean;
  readMs: number;
  readAgainMs: number;
}

export function scopeName(scope: Scope): string {
  switch (scope.kind) {
    case 'all':
      return 'all';
    case 'organisation':
      return `organisation:${scope.organisationID}`;
    default:
      return `${scope.kind}:${scope.accountId}`;
  }
}

export function mapKeyOf(name: SubjectName): string {
  if (name.kind === 'fleet') return `fleet:${scopeName(name.scope)}`;
  if (name.kind === 'workOrderNotes') return `${name.kind}:${name.id}:${name.organisationID}`;
  return 'id' in name ? `${name.kind}:${name.id}` : name.kind;
}

const isToldOf = (name: SubjectName, { accountId, organisationID }: KeptFrom): boolean =>
  name.kind === 'workOrderNotes' && name.id !== accountId && name.organisationID !== organisationID;

/** All subjects that somebody looks at, found by name and by the key that the bus uses. */
export class Subjects {
  readonly #byName = new Map<string, Subject>();
  readonly #bySiteKey = new Map<number, Subject>();
  readonly #byDeviceKey = new Map<number, Subject>();
  readonly #byHandoverKey = new Map<number, Subject>();
  readonly #fleets = new Set<Subject>();
  /** Of each account that works on orders there is one. */
  readonly #notes = new Set<Subject>();

  get size(): number {
    return this.#byName.size;
  }

  all(): Iterable<Subject> {
    return this.#byName.values();
  }

  /** Those that a change touches; every change touches the fleets, but for the steps of a handover, of commands, of settings, of incidents and of messages. */
  *touchedBy(change: Pick<LiveNews, Exclude<keyof LiveNews, 'missed'>>): Iterable<Subject> {
    for (const id of change.settings ?? []) yield* this.#named(`settings:${id}`);
    for (const id of change.groups ?? []) yield* this.#named(`group:${id}`);
    if (change.incidents) yield* this.#named('incidents');
    if (change.orders) {
      yield* this.#named('workOrders');
      return;
    }
    if (change.noted !== undefined) {
      for (const subject of this.#notes) if (isToldOf(subject.name, change.noted)) yield subject;
      return;
    }
    if (change.faultRecords) {
      yield* this.#named('faultRecords');
      return;
    }
    if (change.burnIn) {
      yield* this.#named('burnIn');
      return;
    }
    for (const id of change.messages ?? []) yield* this.#named(`messages:${id}`);
    if (change.messages !== undefined) return;
    if (change.settings !== undefined || change.groups !== undefined || change.incidents) return;
    for (const key of change.handovers ?? []) {
      const subject = this.#byHandoverKey.get(key);
      if (subject !== undefined) yield subject;
    }
    if (change.handovers !== undefined || change.commands !== undefined) return;
    // Who may see and give has changed: a code may be void by it.
    if (change.tenancy) yield* this.#byHandoverKey.values();
    for (const key of change.sites) {
      const subject = this.#bySiteKey.get(key);
      if (subject !== undefined) yield subject;
    }
    for (const key of change.devices) {
      const subject = this.#byDeviceKey.get(key);
      if (subject !== undefined) yield subject;
    }
    yield* this.#fleets;
  }

  *#named(mapKey: string): Iterable<Subject> {
    const subject = this.#byName.get(mapKey);
    if (subject !== undefined) yield subject;
  }

  watch(stream: LiveStream, wanted: string, name: SubjectName): Watch {
    const subject = this.#get(name);
    const watch: Watch = { stream, subject, wanted, sentMs: Number.NEGATIVE_INFINITY, isBehind: true };
    subject.watches.add(watch);
    return watch;
  }

  /** A device whose history was cleared, or came back, records under another key than before. */
  follow(subject: Subject, name: SubjectName): void {
    if (subject.name.kind !== 'device' || name.kind !== 'device' || subject.name.key === name.key) return;
    this.#byDeviceKey.delete(subject.name.key);
    subject.name = name;
    this.#byDeviceKey.set(name.key, subject);
  }

  unwatch(watch: Watch): void {
    const { subject } = watch;
    subject.watches.delete(watch);
    if (subject.watches.size > 0) return;
    this.#byName.delete(subject.mapKey);
    this.#fleets.delete(subject);
    this.#notes.delete(subject);
    if (subject.name.kind === 'site') this.#bySiteKey.delete(subject.name.key);
    if (subject.name.kind === 'device') this.#byDeviceKey.delete(subject.name.key);
    if (subject.name.kind === 'handover') this.#byHandoverKey.delete(subject.name.key);
  }

  #get(name: SubjectName): Subject {
    const mapKey = mapKeyOf(name);
    const known = this.#byName.get(mapKey);
    if (known !== undefined) return known;
    const subject: Subject = {
      name,
      mapKey,
      watches: new Set(),
      event: undefined,
      isDirty: true,
      readMs: Number.NEGATIVE_INFINITY,
      readAgainMs: Number.NEGATIVE_INFINITY,
    };
    this.#byName.set(mapKey, subject);
    if (name.kind === 'site') this.#bySiteKey.set(name.key, subject);
    else if (name.kind === 'device') this.#byDeviceKey.set(name.key, subject);
    else if (name.kind === 'handover') this.#byHandoverKey.set(name.key, subject);
    else if (name.kind === 'fleet') this.#fleets.add(subject);
    else if (name.kind === 'workOrderNotes') this.#notes.add(subject);
    return subject;
  }
}
