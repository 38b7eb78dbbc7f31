import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import type { Kysely } from 'kysely';
import { serveExport, timeCell } from '../exports/serve-export.ts';
import type { Api } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { memberList } from './members.service.ts';

/** The list of members as a file. */
export function bindMemberExport(api: Api, db: Kysely<Database>): void {
  serveExport(api, memberEndpoints.exportList, {
    page: async (input, context) => {
      const { members, total } = await memberList(db, input, context);
      return { rows: members, total };
    },
    columns: {
      account: { label: 'members.field.account', value: (member) => member.account },
      name: { label: 'members.field.name', value: (member) => member.name },
      email: { label: 'members.field.email', value: (member) => member.email },
      phone: { label: 'members.field.phone', value: (member) => member.phone },
      organisation: { label: 'members.field.organisation', value: (member) => member.organisation },
      department: { label: 'members.field.department', value: (member) => member.department },
      groups: {
        label: 'members.field.groups',
        value: (member) => member.groups.map(({ name }) => name).join(', '),
      },
      level: { label: 'members.field.level', value: (member, { text }) => text(`levels.${member.level}`) },
      state: { label: 'members.field.state', value: (member, { text }) => text(`members.state.${member.state}`) },
      lastSignInMs: {
        label: 'members.field.lastSignInMs',
        kind: 'time',
        value: (member) => timeCell(member.lastSignInMs),
      },
      createdAtMs: {
        label: 'members.field.createdAtMs',
        kind: 'time',
        value: (member) => timeCell(member.createdAtMs),
      },
    },
  });
}
