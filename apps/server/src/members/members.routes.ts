import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import type { Kysely } from 'kysely';
import { serveExport } from '../exports/serve-export.ts';
import { type Api, serve } from '../http/serve.ts';
import { type FindRows, serveList } from '../http/serve-list.ts';
import type { Database } from '../stores/schema.ts';
import {
  addMember,
  editMember,
  memberChoices,
  memberList,
  memberOf,
  removeMember,
  resetMemberPassword,
  setMemberState,
} from './members.service.ts';

export function bindMembers(api: Api, db: Kysely<Database>): void {
  const find: FindRows<typeof memberEndpoints.list> = (input, context) => memberList(db, input, context);
  serveList(api, memberEndpoints.list, find);
  serveExport(api, memberEndpoints.exportList, {
    find,
    own: { groups: ({ groups }) => groups.map(({ name }) => name).join(', ') },
  });
  serve(api, memberEndpoints.detail, (input, context) => memberOf(db, input, context));
  serve(api, memberEndpoints.choices, (input, context) => memberChoices(db, input, context));
  serve(api, memberEndpoints.add, (input, context) => addMember(db, input, context));
  serve(api, memberEndpoints.edit, (input, context) => editMember(db, input, context));
  serve(api, memberEndpoints.setState, (input, context) => setMemberState(db, input, context));
  serve(api, memberEndpoints.resetPassword, (input, context) => resetMemberPassword(db, input, context));
  serve(api, memberEndpoints.remove, (input, context) => removeMember(db, input, context));
}
