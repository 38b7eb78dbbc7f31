import { IconLayoutGrid } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { leavesOf, type MenuEntry, partsOf } from '../../menu/menu.ts';
import { MenuIcon } from '../../menu/menu-icons.tsx';
import { useGlobalState } from '../../state/global-state.ts';
import { useRouteLabel } from '../../tabs/route-label.ts';
import { FlyOut } from './fly-out.tsx';
import styles from './menu-list.module.css';
import { holds, MenuLeaf } from './menu-list.tsx';

/** So many have an icon of their own; the others stand behind the last one. */
const MOST_ICONS = 11;

interface Divided {
  first: readonly MenuEntry[];
  /** Entries after which a line is drawn. */
  daily: number;
  rest: readonly MenuEntry[];
}

/** Which entries have icons of their own: daily work and plants, as far as there is room. */
export function divided(menu: readonly MenuEntry[]): Divided {
  const parts = partsOf(menu);
  const of = (wanted: string) => parts.find(({ part }) => part === wanted)?.entries ?? [];
  const open = [...of('daily'), ...of('plants')];
  const first = open.slice(0, MOST_ICONS);
  return { first, daily: of('daily').length, rest: [...open.slice(MOST_ICONS), ...of('administration')] };
}

/** The menu as a rail of icons: a group opens its children beside itself, the last icon all that has none. */
export function MenuRail({ activeName }: { activeName: string | undefined }) {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const { first, daily, rest } = divided(useGlobalState((state) => state.navigation));
  const leaves = (entries: readonly MenuEntry[], hide: () => void) => (
    <ul className={styles.menu}>
      {entries.map((entry) => (
        <MenuLeaf key={entry.name} entry={entry} activeName={activeName} onChosen={hide} />
      ))}
    </ul>
  );
  return (
    <ul className={styles.menu}>
      {first.flatMap((entry, index) => [
        ...(index === daily && index > 0 ? [<Line key="line" />] : []),
        entry.children ? (
          <li key={entry.name}>
            <FlyOut
              label={label(entry.name)}
              icon={<MenuIcon name={entry.name} />}
              className={styles.link ?? ''}
              current={holds(entry, activeName)}
            >
              {(hide) => leaves(entry.children ?? [], hide)}
            </FlyOut>
          </li>
        ) : (
          <MenuLeaf key={entry.name} entry={entry} activeName={activeName} iconOnly onChosen={undefined} />
        ),
      ])}
      {rest.length > 0 && <Line />}
      {rest.length > 0 && (
        <li>
          <FlyOut
            label={t('shell.parts.administration')}
            icon={<IconLayoutGrid size={20} stroke={1.7} aria-hidden="true" />}
            className={styles.link ?? ''}
            current={rest.some((entry) => holds(entry, activeName))}
          >
            {(hide) => leaves(leavesOf(rest), hide)}
          </FlyOut>
        </li>
      )}
    </ul>
  );
}

const Line = () => <li aria-hidden="true" className={styles.line} />;
