import type { RecordPlaces, Whose } from './record-places.ts';

const accountOf = (at: RecordPlaces, user: string, whose: Whose): Promise<string> =>
  whose === 'own' ? at.accountId(user) : at.someoneElse(user);

export async function messageRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('messages')
    .values({
      account_id: await accountOf(at, user, whose),
      kind: 'report',
      event: 'completed',
      at: new Date(),
      subject: 'Made',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function alarmRuleRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const accountId = await accountOf(at, user, whose);
  const { id } = await at.db
    .insertInto('alarm_rules')
    .values({
      account_id: accountId,
      name: 'Made',
      levels: [3, 4],
      organisation_id: null,
      site_id: null,
      delay_minutes: 5,
      channels: ['inbox'],
      escalate_minutes: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await at.db.insertInto('alarm_rule_receivers').values({ rule_id: id, account_id: accountId }).execute();
  return id;
}

/** Announcements are all of the platform's: a stranger's is none. */
export async function announcementRecord(at: RecordPlaces): Promise<string> {
  const { id } = await at.db
    .insertInto('announcements')
    .values({
      from: new Date(Date.now() + 86_400_000),
      until: new Date(Date.now() + 2 * 86_400_000),
      levels: [1],
      words: { en: { title: 'Made', text: '' } },
      created_by: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
