import type { RouteName } from '@sonnenwarte/contract/routes';
import { IconChevronDown } from '@tabler/icons-react';
import { type ComponentType, type MouseEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ScreenLink } from '../../blocks/show/screen-link.tsx';
import { WhenIdle } from '../../blocks/show/when-idle.tsx';
import { MenuCount as AlarmCount } from '../../incidents/menu-count.tsx';
import { leavesOf, type MenuEntry, partsOf } from '../../menu/menu.ts';
import { MenuIcon } from '../../menu/menu-icons.tsx';
import { MenuCount as MessageCount } from '../../messages/menu-count.tsx';
import { useGlobalState } from '../../state/global-state.ts';
import { useRouteLabel } from '../../tabs/route-label.ts';
import { appendTab } from '../../tabs/workspace.ts';
import styles from './menu-list.module.css';
import { useGroupOpened } from './opened-groups.ts';

/** Entries that count what waits for somebody. */
const counts: Partial<Record<RouteName, ComponentType<{ className: string }>>> = {
  alarm: AlarmCount,
  'integrator-alarm': AlarmCount,
  message: MessageCount,
};

interface LeafProps {
  entry: MenuEntry;
  activeName: string | undefined;
  /** Its name is left to the tooltip and to readers. */
  iconOnly?: boolean;
  onChosen: (() => void) | undefined;
}

/** A click that opens a tab without showing it, as the browser has it for its own. */
const asksForBackground = (event: MouseEvent): boolean =>
  event.button === 0 && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;

/** An entry of the menu that opens a screen. */
export function MenuLeaf({ entry, activeName, iconOnly = false, onChosen }: LeafProps) {
  const label = useRouteLabel()(entry.name);
  const Count = counts[entry.name];
  const openBehind = (event: MouseEvent) => {
    event.preventDefault();
    appendTab(entry.name);
  };
  return (
    <li>
      <ScreenLink
        to={entry.name}
        className={styles.link ?? ''}
        title={label}
        aria-current={entry.name === activeName ? 'page' : undefined}
        data-icon={iconOnly || undefined}
        onClick={(event) => {
          onChosen?.();
          if (asksForBackground(event)) openBehind(event);
        }}
        onAuxClick={(event) => {
          if (event.button === 1) openBehind(event);
        }}
      >
        <MenuIcon name={entry.name} />
        <span className={iconOnly ? 'visually-hidden' : styles.label}>{label}</span>
        {Count && (
          <WhenIdle>
            <Count className={styles.count ?? ''} />
          </WhenIdle>
        )}
      </ScreenLink>
    </li>
  );
}

export const holds = (entry: MenuEntry, activeName: string | undefined): boolean =>
  leavesOf([entry]).some(({ name }) => name === activeName);

/** More lines than this are folded, so that the menu is seen without scrolling. */
const SHORT_LINES = 14;
const linesOf = (menu: readonly MenuEntry[]): number =>
  menu.reduce((lines, { children }) => lines + 1 + linesOf(children ?? []), 0);

function Group({ entry, activeName, isShort, onChosen }: LeafProps & { isShort: boolean }) {
  const label = useRouteLabel()(entry.name);
  const { opened, toggle } = useGroupOpened(entry.name, {
    isCurrent: holds(entry, activeName),
    isShort,
    screen: activeName,
  });
  return (
    <li>
      <button type="button" className={styles.link} aria-expanded={opened} onClick={toggle}>
        <MenuIcon name={entry.name} />
        <span className={styles.label}>{label}</span>
        <IconChevronDown size={16} className={styles.chevron} aria-hidden="true" />
      </button>
      {opened && (
        <ul className={styles.children}>
          {entry.children?.map((child) => (
            <MenuLeaf key={child.name} entry={child} activeName={activeName} onChosen={onChosen} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface MenuListProps {
  activeName: string | undefined;
  /** Called when an entry is chosen, also the one that is already shown. */
  onChosen?: () => void;
}

/** The whole menu in its parts, with groups that fold. */
export function MenuList({ activeName, onChosen }: MenuListProps) {
  const { t } = useTranslation();
  const id = useId();
  const menu = useGlobalState((state) => state.navigation);
  const parts = partsOf(menu);
  const isShort = linesOf(menu) + parts.length <= SHORT_LINES;
  return parts.map(({ part, entries }) => (
    <div key={part}>
      {part !== 'daily' && (
        <h2 id={`${id}-${part}`} className={styles.heading}>
          {t(`shell.parts.${part}`)}
        </h2>
      )}
      <ul className={styles.menu} aria-labelledby={part === 'daily' ? undefined : `${id}-${part}`}>
        {entries.map((entry) =>
          entry.children ? (
            <Group key={entry.name} entry={entry} activeName={activeName} isShort={isShort} onChosen={onChosen} />
          ) : (
            <MenuLeaf key={entry.name} entry={entry} activeName={activeName} onChosen={onChosen} />
          ),
        )}
      </ul>
    </div>
  ));
}
