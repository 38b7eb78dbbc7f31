import { repairEndpoints } from '@sonnenwarte/contract/data-repair/data-repair';
import { importFile } from '@sonnenwarte/contract/dataloggers/managing';
import { codesOfCall, type Endpoint, writes } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { prolong, withdraw } from '@sonnenwarte/contract/handover/handover';
import { LEVEL, type Level } from '@sonnenwarte/contract/levels';
import type { MemberRow } from '@sonnenwarte/contract/members/members';
import { makeCode } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import { scheduleAdd } from '@sonnenwarte/contract/reports/reports';
import { undo as undoDeletion } from '@sonnenwarte/contract/site-deletions/site-deletions';
import { dropTariff } from '@sonnenwarte/contract/site-form/site-form';
import { createInstance, type i18n } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { memberActions } from '../../members/member-actions.tsx';
import type { ViewAs } from '../../state/global-state.ts';
import { globalState } from '../../state/global-state.ts';
import { allTexts } from '../../testing/all-texts.ts';
import { ActionButtons } from './action-buttons.tsx';
import type { ActionTable } from './actions.tsx';
import { type Actions, useActions } from './use-actions.tsx';

type Exports = Readonly<Record<string, ActionTable<unknown> | object>>;

const isTable = (value: unknown): value is ActionTable<unknown> =>
  typeof value === 'object' && value !== null && 'actions' in value && 'texts' in value;

const tables = Object.values(import.meta.glob<Exports>('../../*/*-actions.tsx', { eager: true })).flatMap((exported) =>
  Object.entries(exported).flatMap(([name, table]) => (isTable(table) ? [{ name, table }] : [])),
);
const all = tables.flatMap(({ name: of, table }) =>
  Object.entries(table.actions).map(([name, action]) => ({ at: `${of} ${name}`, name, action, table })),
);
const codes = Object.keys(permissions) as PermissionCode[];

let english: i18n;
beforeAll(async () => {
  english = createInstance();
  await english.init({ lng: 'en', nsSeparator: false, resources: { en: { translation: allTexts('en') } } });
});
afterEach(() => globalState.set({ access: -1, buttonPermissions: [], viewAs: null }));

const signIn = (held: readonly PermissionCode[], viewAs: ViewAs | null = null, level: Level = LEVEL.admin) =>
  globalState.set({ access: viewAs?.level ?? level, buttonPermissions: held, viewAs });

/** A level that may make the call: the administrator where that is one. */
const callerOf = ({ callers }: Endpoint): Level =>
  callers === 'public' || callers.includes(LEVEL.admin) ? LEVEL.admin : callers[0];

const asInstaller: ViewAs = {
  level: 2,
  organisationName: 'Solartechnik',
  accountName: 'petra',
  groupName: null,
  byUsername: 'admin',
};

const rendered = (element: React.ReactNode): string =>
  renderToStaticMarkup(<I18nextProvider i18n={english}>{element}</I18nextProvider>);

function actionsNow<Row>(table: ActionTable<Row>): Actions<Row> {
  let found: Actions<Row> | undefined;
  function Probe() {
    found = useActions(table);
    return null;
  }
  rendered(<Probe />);
  if (!found) throw new Error('Nothing was rendered');
  return found;
}

/** The action alone, of a record that it is always for. */
const alone = ({ name, action, table }: (typeof all)[number]): ActionTable<unknown> => {
  const { when: _, ...always } = action;
  return { ...table, nameOf: () => 'it', actions: { [name]: { ...always, label: () => 'Do it' } } };
};

describe('in the whole web app', () => {
  test('every action has its label, every question its words', () => {
    const missing = all.flatMap(({ at, name, action, table }) => {
      const keys = [
        ...(action.label ? [] : [`${table.texts}.action.${name}`]),
        ...(action.asks ? [`${table.texts}.ask.${name}.title`, `${table.texts}.ask.${name}.text`] : []),
      ];
      return keys.filter((key) => !english.exists(key)).map((key) => `${at}: ${key}`);
    });
    expect(missing).toEqual([]);
  });

  test('every call that writes and needs a code is an action, or made within one of the same code', () => {
    const within: readonly unknown[] = [
      makeCode,
      undoDeletion,
      withdraw,
      prolong,
      repairEndpoints.correct,
      repairEndpoints.undo,
      dropTariff,
      importFile,
      scheduleAdd,
    ];
    const acting = new Set<unknown>(all.map(({ action }) => action.of));
    const codesOfActions = new Set(all.flatMap(({ action }) => codesOfCall(action.of)));
    const idle = allEndpoints.filter(
      (endpoint) =>
        writes(endpoint) &&
        codesOfCall(endpoint).length > 0 &&
        !acting.has(endpoint) &&
        !(within.includes(endpoint) && codesOfCall(endpoint).every((code) => codesOfActions.has(code))),
    );
    expect(idle.map(({ path }) => path)).toEqual([]);
  });

  const guarded = all.filter(({ action }) => codesOfCall(action.of).length > 0);

  test.each(guarded.map((each) => [each.at, each] as const))(
    '%s: neither a menu nor a button offers it to who lacks its code alone; both do to who holds nothing else',
    (_, each) => {
      const table = alone(each);
      const needed = codesOfCall(each.action.of);
      const level = callerOf(each.action.of);
      signIn(
        codes.filter((code) => !needed.includes(code)),
        null,
        level,
      );
      expect(actionsNow(table).of({})).toEqual([]);
      expect(actionsNow(table).opener({})).toBeUndefined();
      expect(rendered(<ActionButtons table={table} row={{}} />)).toBe('');
      signIn(needed, null, level);
      expect(actionsNow(table).of({})).toMatchObject([{ label: 'Do it' }]);
      expect(rendered(<ActionButtons table={table} row={{}} />)).toContain('Do it</button>');
    },
  );
});

const mayAll: MemberRow['can'] = { edit: true, disable: true, delete: true, resetPassword: true };
const member = (can: Partial<MemberRow['can']>, state: MemberRow['state'] = 'enabled'): MemberRow =>
  ({ account: 'petra', state, can: { ...mayAll, ...can } }) as MemberRow;

const refused = (row: MemberRow) =>
  actionsNow(memberActions)
    .of(row)
    .map(({ label, disabledReason }) => [label, disabledReason]);

describe('of a record', () => {
  test('what the server forbids stands there with the reason', () => {
    signIn(codes);
    expect(refused(member({ delete: false, disable: false, resetPassword: false }))).toEqual([
      ['Edit', undefined],
      ['Reset password', 'This is your own account'],
      ['Disable', 'This is your own account'],
      ['View as', undefined],
      ['Delete', 'This is your own account'],
    ]);
    const beyond = 'May do more than you';
    expect(refused(member({ edit: false, delete: false, disable: false, resetPassword: false }, 'disabled'))).toEqual([
      ['Edit', beyond],
      ['Reset password', beyond],
      ['Enable', beyond],
      ['View as', beyond],
      ['Delete', beyond],
    ]);
  });

  test('what the server forbids without a reason is not offered', () => {
    signIn(codes);
    const { whyNot: _, ...silent } = memberActions;
    const labels = actionsNow(silent)
      .of(member({ edit: false }))
      .map(({ label }) => label);
    expect(labels).toEqual(['Reset password', 'Disable', 'Delete']);
  });

  test('a click on the row does the first action, and nothing where that is refused, lacks its code or is seen through other eyes', () => {
    const opens = (row: MemberRow) => actionsNow(memberActions).opener(row) !== undefined;
    signIn(codes);
    expect(opens(member({}))).toBe(true);
    expect(opens(member({ edit: false }))).toBe(false);
    signIn(codes.filter((code) => code !== 'member:edit'));
    expect(opens(member({}))).toBe(false);
    signIn([], asInstaller);
    expect(opens(member({}))).toBe(false);
  });

  test('who looks through other eyes is told why an action is hidden, and cannot do it', () => {
    signIn([], asInstaller);
    const [edit] = actionsNow(memberActions).of(member({}));
    expect(edit?.disabledReason).toBe(english.t('blocks.hidden.level', { level: english.t('levels.2') }));
    expect(rendered(<ActionButtons table={memberActions} row={member({})} />)).toContain('inert');
  });

  test('rows that can only be looked at have no menu', () => {
    signIn(codes);
    const reading = tables.filter(({ table }) => Object.values(table.actions).every(({ of }) => !writes(of)));
    const looking = ['auditActions', 'messageActions'];
    expect(reading.map(({ name }) => name).sort()).toEqual(looking);
    for (const { name, table } of tables)
      expect([name, actionsNow(table).withMenu]).toEqual([name, !looking.includes(name)]);
  });
});
