import { sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

/** Gives an organisation another sign-up code, which the database draws as it does for a new organisation. */
export async function renewSignUpCode(tx: Transaction<Database>, organisationID: string): Promise<string> {
  const { sign_up_code } = await tx
    .updateTable('organisations')
    .set({ sign_up_code: sql`default`, updated_at: new Date() })
    .where('id', '=', organisationID)
    .returning('sign_up_code')
    .executeTakeFirstOrThrow();
  return sign_up_code;
}

const SHOWN_CHARACTERS = 3;

/** What the audit log tells of a code. */
export const toldCode = (code: string): string => `…${code.slice(-SHOWN_CHARACTERS)}`;
