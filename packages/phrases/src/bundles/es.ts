export const files = import.meta.glob<unknown>(
  [
    '../*/es.json',
    '!../{errors,legal,mail,notices}/*',
    '!../{audit,deletions,departments,members,migrations-of-accounts,organisations,permission-groups,user-management}/*',
  ],
  { eager: true, import: 'default' },
);
