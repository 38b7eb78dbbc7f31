import type { Result } from '@sonnenwarte/contract/endpoint';
import type { find } from '@sonnenwarte/contract/search/search';
import {
  IconArrowBackUp,
  IconClock,
  IconLogout,
  IconMoon,
  IconRefresh,
  IconSun,
  IconSunMoon,
  IconWaveSine,
  IconX,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { savePreferences } from '../account/preferences.ts';
import { signOut } from '../account/sign-out.ts';
import { leavesOf } from '../menu/menu.ts';
import { iconOf } from '../menu/menu-icons.tsx';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTabs } from '../tabs/tab-state.ts';
import { closeAllTabs, closeOtherTabs, refreshTab, reopenClosedTab, useReopenable } from '../tabs/workspace.ts';
import { colourSchemes, setColourScheme } from '../theme/colour-scheme.ts';
import { recentPlaces } from './recent.ts';
import type { PaletteRow } from './rows.ts';

const schemeIcons = { light: IconSun, dark: IconMoon, auto: IconSunMoon } as const;

/** Rows that need no answer of the server: screens of the menu, what was opened last, and what can be done. */
export function useKnownRows() {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const menu = useGlobalState((state) => state.navigation);
  const open = useGlobalState((state) => state.menuCode);
  const { activeId } = useTabs();
  const reopenable = useReopenable();

  const groupOf = new Map(
    menu.flatMap((entry) => (entry.children ?? []).map((child) => [child.name, label(entry.name)] as const)),
  );

  const screens: PaletteRow[] = [
    ...leavesOf(menu).map(({ name }) => ({
      key: `screen:${name}`,
      icon: iconOf(name),
      name: label(name),
      line: groupOf.get(name) ?? '',
      target: { to: name },
    })),
    ...(open?.includes('user-center')
      ? [
          {
            key: 'screen:user-center',
            icon: iconOf('user-center'),
            name: label('user-center'),
            line: t('search.action.account'),
            target: { to: 'user-center' as const },
          },
        ]
      : []),
  ];

  const recent = (): PaletteRow[] =>
    recentPlaces().map(({ id, name, title, query }) => ({
      key: `recent:${id}`,
      icon: title === null ? iconOf(name) : IconClock,
      name: title ?? label(name),
      line: title === null ? (groupOf.get(name) ?? '') : label(name),
      target: { to: name, query, ...(title !== null && { title }) },
    }));

  /** `found` has the plant to which an action may belong. */
  const actions = (found: Result<typeof find> | undefined): { row: PaletteRow; offered: boolean }[] => {
    const [plant] = found?.plants.rows ?? [];
    const action = (key: string, name: string, line: string, icon: PaletteRow['icon'], act: () => void) => ({
      row: { key: `action:${key}`, icon, name, line, target: { act } },
      offered: false,
    });
    return [
      ...(plant && open?.includes('device-inverter')
        ? [
            {
              row: {
                key: `action:devices:${plant.stationID}`,
                icon: IconWaveSine,
                name: t('search.action.invertersOf', { plant: plant.name }),
                line: label('device-inverter'),
                target: { to: 'device-inverter' as const, query: { 'condition.stationID': plant.stationID } },
              },
              offered: true,
            },
          ]
        : []),
      action('refresh', t('shell.refreshTab'), t('search.action.tabs'), IconRefresh, () => refreshTab(activeId)),
      action('others', t('shell.closeOtherTabs'), t('search.action.tabs'), IconX, () => closeOtherTabs(activeId)),
      action('closeAll', t('shell.closeAllTabs'), t('search.action.tabs'), IconX, closeAllTabs),
      ...(reopenable
        ? [action('reopen', t('shell.reopenTab'), t('search.action.tabs'), IconArrowBackUp, reopenClosedTab)]
        : []),
      ...colourSchemes.map((theme) =>
        action(
          `theme:${theme}`,
          t('search.action.theme', { theme: t(`shell.themes.${theme}`) }),
          t('search.action.account'),
          schemeIcons[theme],
          () => {
            setColourScheme(theme);
            void savePreferences({ theme });
          },
        ),
      ),
      action('signOut', t('shell.signOut'), t('search.action.account'), IconLogout, () => void signOut()),
    ];
  };

  return { screens, recent, actions };
}
