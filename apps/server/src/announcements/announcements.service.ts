import {
  type AnnouncementRow,
  type announcementEndpoints,
  LONGEST_ANNOUNCEMENT_DAYS,
  MOST_ANNOUNCEMENTS,
} from '@sonnenwarte/contract/announcements/announcements';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { Language } from '@sonnenwarte/contract/languages';
import type { Kysely } from 'kysely';
import { recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { wordsIn } from '../messages/messages.service.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import {
  announcementById,
  announcementsFound,
  countAnnouncements,
  deleteAnnouncement,
  insertAnnouncement,
  type NewAnnouncement,
  organisationsThere,
  type StoredAnnouncement,
  updateAnnouncement,
} from './announcements.store.ts';

type Calls = typeof announcementEndpoints;
type Used = Uses<'db' | 'nowMs'>;

const DAY_MS = 86_400_000;

function stateOf({ from, until }: { from: Date; until: Date }, nowMs: number): AnnouncementRow['state'] {
  if (from.getTime() > nowMs) return 'planned';
  return until.getTime() > nowMs ? 'shown' : 'over';
}

const toRow = (row: StoredAnnouncement, language: Language, nowMs: number): AnnouncementRow => ({
  announcementID: row.id,
  state: stateOf(row, nowMs),
  title: wordsIn(row.words, language).title,
  fromMs: row.from.getTime(),
  untilMs: row.until.getTime(),
  levels: row.levels,
  organisations: row.organisations,
  words: Object.entries(row.words).map(([each, words]) => ({ language: each as Language, ...words })),
  by: row.by,
  reads: row.reads,
});

/** All announcements, for a page as for a file. */
export async function announcementList({ db, nowMs }: Used, input: Asked<Calls['list']>, { language }: CallContext) {
  const found = await announcementsFound(db, input, new Date(nowMs()));
  return toRows(found, (row) => toRow(row, language, nowMs()));
}

const refused = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

/** As it is stored; refuses what cannot be told. */
async function checked(
  db: Kysely<Database>,
  { fromMs, untilMs, levels, organisationIDs, words }: Parsed<Calls['add']>,
  nowMs: number,
): Promise<NewAnnouncement> {
  const organisations = [...new Set(organisationIDs)];
  if ((await organisationsThere(db, organisations)) < organisations.length) throw new CallError('organisationNotFound');
  if (untilMs <= fromMs || untilMs <= nowMs) throw refused('untilMs', 'wrong');
  if (untilMs - fromMs > LONGEST_ANNOUNCEMENT_DAYS * DAY_MS) throw refused('untilMs', 'wrong');
  const languages = words.map(({ language }) => language);
  if (new Set(languages).size < languages.length) throw refused('words', 'wrong');
  return {
    from: new Date(fromMs),
    until: new Date(untilMs),
    levels: [...new Set(levels)].toSorted((a, b) => a - b),
    organisation_ids: organisations,
    words: Object.fromEntries(words.map(({ language, title, text }) => [language, { title, text }])),
  };
}

const record = (
  tx: Parameters<typeof recordAudit>[0],
  context: CallContext,
  action: 'announcements.add' | 'announcements.edit' | 'announcements.delete',
  id: string,
  words: NewAnnouncement['words'],
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> =>
  recordAudit(tx, context, {
    log: 'operation',
    action,
    recordKind: 'announcement',
    recordId: id,
    recordName: Object.values(words)[0]?.title ?? '',
    organisationPath: context.actor.organisationPath,
    ...change,
  });

const told = ({ from, until, levels, organisation_ids, words }: NewAnnouncement): Record<string, unknown> => ({
  from: from.toISOString(),
  until: until.toISOString(),
  levels,
  organisations: organisation_ids,
  titles: Object.values(words).map(({ title }) => title),
});

export const addAnnouncement = (
  { db, nowMs }: Used,
  input: Parsed<Calls['add']>,
  context: CallContext,
): Promise<Result<Calls['add']>> =>
  inTransaction(db, async (tx) => {
    if ((await countAnnouncements(tx)) >= MOST_ANNOUNCEMENTS) throw new CallError('tooManyAnnouncements');
    const announcement = await checked(tx, input, nowMs());
    const id = await insertAnnouncement(tx, announcement, context.actor.accountId);
    await record(tx, context, 'announcements.add', id, announcement.words, { after: told(announcement) });
    return { announcementID: id };
  });

export const editAnnouncement = (
  { db, nowMs }: Used,
  { announcementID, ...input }: Parsed<Calls['edit']>,
  context: CallContext,
): Promise<Result<Calls['edit']>> =>
  inTransaction(db, async (tx) => {
    const before = found(await announcementById(tx, announcementID), 'announcementNotFound');
    const announcement = await checked(tx, input, nowMs());
    await updateAnnouncement(tx, announcementID, announcement);
    await record(tx, context, 'announcements.edit', announcementID, announcement.words, {
      before: told(before),
      after: told(announcement),
    });
    return {};
  });

export const removeAnnouncement = (
  { db }: Used,
  { announcementID }: Parsed<Calls['remove']>,
  context: CallContext,
): Promise<Result<Calls['remove']>> =>
  inTransaction(db, async (tx) => {
    const before = found(await announcementById(tx, announcementID), 'announcementNotFound');
    await deleteAnnouncement(tx, announcementID);
    await record(tx, context, 'announcements.delete', announcementID, before.words, { before: told(before) });
    return {};
  });
