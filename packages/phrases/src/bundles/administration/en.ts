export const files = import.meta.glob<unknown>(
  '../../{audit,deletions,departments,members,migrations-of-accounts,organisations,permission-groups,user-management}/en.json',
  { eager: true, import: 'default' },
);
