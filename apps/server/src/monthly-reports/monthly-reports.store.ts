import type { Level } from '@sonnenwarte/contract/levels';
import { isLevel } from '@sonnenwarte/contract/levels';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

export const receives = async (db: Db, siteId: string, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('monthly_report_receivers')
    .select('site_id')
    .where('site_id', '=', siteId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()) !== undefined;

/** One who gets them already goes on as before. */
export const addReceiver = (db: Db, siteId: string, accountId: string, since: Date) =>
  db
    .insertInto('monthly_report_receivers')
    .values({ site_id: siteId, account_id: accountId, since })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const removeReceiver = (db: Db, siteId: string, accountId: string) =>
  db.deleteFrom('monthly_report_receivers').where('site_id', '=', siteId).where('account_id', '=', accountId).execute();

/** A report that is to be mailed. */
export interface DueMail {
  readonly siteId: string;
  readonly accountId: string;
  readonly month: string;
  readonly tries: number;
}

/** From when on the day after a month it is mailed, by the clock of the plant. */
const FROM_HOUR = 4;
const MOST_TRIES = 6;
const RETRY_AFTER_S = 600;

/**
 * Takes the next mails that are due, so that nobody else does for a while: of a plant the month before its running one, if it ended since its receiver
 * asked. One that was begun and not mailed is taken again, each time later. All receivers are looked through for it, so that several are taken at once.
 */
export async function takeDue(db: Db, now: Date, most: number): Promise<DueMail[]> {
  const { rows } = await sql<DueMail>`
    insert into monthly_report_mails as mails (site_id, account_id, month, tries, tried_at)
    select due.site_id, due.account_id, due.month, 1, ${now} from (
      select receivers.site_id, receivers.account_id,
        to_char((${now}::timestamptz at time zone sites.time_zone) - interval '1 month', 'YYYY-MM') as month
      from monthly_report_receivers receivers
      join sites on sites.id = receivers.site_id and sites.deleted_at is null
      join accounts on accounts.id = receivers.account_id and accounts.deleted_at is null and accounts.disabled_at is null
      where (${now}::timestamptz at time zone sites.time_zone)
          >= date_trunc('month', ${now}::timestamptz at time zone sites.time_zone) + make_interval(hours => ${FROM_HOUR})
        and (receivers.since at time zone sites.time_zone) < date_trunc('month', ${now}::timestamptz at time zone sites.time_zone)
    ) due
    left join monthly_report_mails done
      on done.site_id = due.site_id and done.account_id = due.account_id and done.month = due.month
    where done.site_id is null
      or (done.mailed_at is null and done.tries < ${MOST_TRIES}
        and done.tried_at + make_interval(secs => ${RETRY_AFTER_S} * done.tries) <= ${now})
    order by due.month, due.site_id, due.account_id
    limit ${most}
    on conflict (site_id, account_id, month) do update set tries = mails.tries + 1, tried_at = excluded.tried_at
      where mails.mailed_at is null and mails.tried_at + make_interval(secs => ${RETRY_AFTER_S} * mails.tries) <= excluded.tried_at
    returning site_id as "siteId", account_id as "accountId", month, tries`.execute(db);
  return rows;
}

/** Gives back a mail that could not be made for now, without counting it: it is taken again later. */
export const waitWith = (db: Db, { siteId, accountId, month }: DueMail) =>
  db
    .updateTable('monthly_report_mails')
    .set({ tries: 1 })
    .where('site_id', '=', siteId)
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .where('mailed_at', 'is', null)
    .execute();

/** Says that a mail is in the outbox; false where it was before. */
export async function noteMailed(db: Db, { siteId, accountId, month }: DueMail, at: Date): Promise<boolean> {
  const row = await db
    .updateTable('monthly_report_mails')
    .set({ mailed_at: at })
    .where('site_id', '=', siteId)
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .where('mailed_at', 'is', null)
    .returning('month')
    .executeTakeFirst();
  return row !== undefined;
}

export interface Receiver {
  readonly accountId: string;
  readonly level: Level;
  readonly organisationID: string;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly email_confirmed_at: Date | null;
  readonly language: string | null;
}

/** Who gets a mail, so long as it may sign in. */
export async function receiverOf(db: Db, accountId: string): Promise<Receiver | undefined> {
  const row = await db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.id', 'accounts.organisation_id')
    .where('accounts.id', '=', accountId)
    .where('accounts.deleted_at', 'is', null)
    .where('accounts.disabled_at', 'is', null)
    // The owners of plants keep their access when their installer is disabled.
    .where((eb) =>
      eb.or([
        eb('accounts.level', '=', 1),
        eb.and([eb('organisations.deleted_at', 'is', null), eb('organisations.disabled_at', 'is', null)]),
      ]),
    )
    .select([
      'accounts.id as accountId',
      'accounts.level',
      'accounts.organisation_id as organisationID',
      'accounts.username',
      'accounts.name',
      'accounts.email',
      'accounts.email_confirmed_at',
      'accounts.language',
    ])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { level } = row;
  return isLevel(level) ? { ...row, level } : undefined;
}

/** What was mailed so long ago is never asked for again. */
export const forgetMails = (db: Db, before: Date) =>
  db.deleteFrom('monthly_report_mails').where('tried_at', '<', before).execute();
