import { IconChevronDown } from '@tabler/icons-react';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScreenLink } from '../blocks/screen-link.tsx';
import { useGlobalState } from '../state/global-state.ts';
import { Copyright } from './copyright.tsx';
import { APP_NAME } from './document-title.ts';
import { Logo } from './logo.tsx';
import { leavesOf, type MenuEntry } from './menu.ts';
import { MenuIcon } from './menu-icons.tsx';
import { useRouteLabel } from './route-label.ts';
import styles from './side-bar.module.css';
import { appendTab } from './workspace.ts';

interface EntryProps {
  entry: MenuEntry;
  activeName: string | undefined;
  onChosen: (() => void) | undefined;
}

/** A click that opens a tab without showing it, as the browser has it for its own. */
const asksForBackground = (event: MouseEvent): boolean =>
  event.button === 0 && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;

function Leaf({ entry, activeName, onChosen }: EntryProps) {
  const label = useRouteLabel()(entry.name);
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
        onClick={(event) => {
          onChosen?.();
          if (asksForBackground(event)) openBehind(event);
        }}
        onAuxClick={(event) => {
          if (event.button === 1) openBehind(event);
        }}
      >
        <MenuIcon name={entry.name} />
        <span className={styles.label}>{label}</span>
      </ScreenLink>
    </li>
  );
}

function Group({ entry, activeName, onChosen }: EntryProps) {
  const label = useRouteLabel()(entry.name);
  const [opened, setOpened] = useState(true);
  return (
    <li>
      <button type="button" className={styles.link} aria-expanded={opened} onClick={() => setOpened(!opened)}>
        <MenuIcon name={entry.name} />
        <span className={styles.label}>{label}</span>
        <IconChevronDown size={16} className={styles.chevron} aria-hidden="true" />
      </button>
      {opened && (
        <ul className={styles.children}>
          {entry.children?.map((child) => (
            <Leaf key={child.name} entry={child} activeName={activeName} onChosen={onChosen} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface MenuListProps {
  activeName: string | undefined;
  narrow?: boolean;
  /** Called when an entry is chosen, also the one that is already shown. */
  onChosen?: () => void;
}

/** The menu's entries, with groups that fold; without groups where there is room for icons only. */
export function MenuList({ activeName, narrow = false, onChosen }: MenuListProps) {
  const menu = useGlobalState((state) => state.navigation);
  const entries = narrow ? leavesOf(menu) : menu;
  return (
    <ul className={styles.menu}>
      {entries.map((entry) =>
        entry.children ? (
          <Group key={entry.name} entry={entry} activeName={activeName} onChosen={onChosen} />
        ) : (
          <Leaf key={entry.name} entry={entry} activeName={activeName} onChosen={onChosen} />
        ),
      )}
    </ul>
  );
}

/** Brand and menu; collapsed, it leaves only the icons. */
export function SideBar({ activeName }: { activeName: string | undefined }) {
  const { t } = useTranslation();
  const collapse = useGlobalState((state) => state.collapse);
  return (
    <nav className={styles.bar} data-collapse={collapse || undefined} aria-label={t('shell.mainMenu')}>
      <ScreenLink to="bus-index" className={styles.brand ?? ''} aria-label={APP_NAME}>
        <Logo />
        <span className={styles.label}>{APP_NAME}</span>
      </ScreenLink>
      <div className={styles.nav}>
        <MenuList activeName={activeName} narrow={collapse} />
      </div>
      <div className={styles.copyright}>
        <Copyright />
      </div>
    </nav>
  );
}
