import { IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { RowActions } from '../list/row-actions.tsx';
import type { RowAction } from '../overlay/action-menu.tsx';
import styles from './tree.module.css';
import { branchIds, pathTo, treeMove, visibleNodes } from './tree-keys.ts';

export interface TreeNode {
  id: string;
  name: string;
  /** Beside the name: a count, a badge. */
  aside?: ReactNode;
  children?: readonly TreeNode[];
}

interface TreeProps<N extends TreeNode> {
  label: string;
  nodes: readonly N[];
  selected: string | undefined;
  onSelect: (node: N) => void;
  actions?: (node: N) => readonly RowAction[];
  /** Levels that are open at first. */
  openLevels?: number;
}

/** A tree with one selected node: arrow keys walk and open it, typing a letter finds a name. */
export function Tree<N extends TreeNode>(props: TreeProps<N>) {
  const { label, nodes, selected, onSelect, actions, openLevels = 1 } = props;
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(
    () =>
      new Set([...branchIds(nodes, openLevels), ...(selected === undefined ? [] : (pathTo(nodes, selected) ?? []))]),
  );
  const [focused, setFocused] = useState(selected);
  const root = useRef<HTMLDivElement>(null);
  const shown = visibleNodes(nodes, expanded);
  const isShown = (id: string | undefined): boolean => shown.some(({ node }) => node.id === id);
  const current = [focused, selected].find(isShown) ?? shown[0]?.node.id;

  const expand = (id: string, open: boolean) => {
    const next = new Set(expanded);
    if (open) next.add(id);
    else next.delete(id);
    setExpanded(next);
  };
  const focus = (id: string) => {
    setFocused(id);
    root.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || current === undefined) return;
    if (!(event.target instanceof HTMLElement) || event.target.dataset.node === undefined) return;
    const move = treeMove(shown, current, event.key);
    if (!move) return;
    event.preventDefault();
    if (move.kind === 'focus') focus(move.id);
    else if (move.kind === 'select') {
      const found = shown.find(({ node }) => node.id === move.id);
      if (found) onSelect(found.node);
    } else expand(move.id, move.kind === 'expand');
  };

  return (
    <div ref={root} role="tree" aria-label={label} className={styles.tree} onKeyDown={onKeyDown}>
      {shown.map(({ node, level, position, siblings, expanded: open }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of its items
        <div
          key={node.id}
          role="treeitem"
          data-node={node.id}
          className={styles.item}
          style={{ '--level': level - 1 } as Record<string, number>}
          tabIndex={node.id === current ? 0 : -1}
          aria-level={level}
          aria-posinset={position}
          aria-setsize={siblings}
          aria-expanded={open}
          aria-selected={node.id === selected}
          onFocus={() => setFocused(node.id)}
          onClick={() => {
            focus(node.id);
            onSelect(node);
          }}
        >
          {open === undefined ? (
            <span className={styles.leaf} />
          ) : (
            // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer only; keys open by arrow
            // biome-ignore lint/a11y/useKeyWithClickEvents: for the pointer only; keys open by arrow
            <span
              className={styles.fold}
              data-open={open || undefined}
              onClick={(event) => {
                event.stopPropagation();
                focus(node.id);
                expand(node.id, !open);
              }}
            >
              <IconChevronRight size={16} aria-hidden="true" />
            </span>
          )}
          <span className={styles.name}>{node.name}</span>
          {node.aside !== undefined && <span className={styles.aside}>{node.aside}</span>}
          {actions && <RowActions name={node.name} actions={actions(node)} tabIndex={node.id === current ? 0 : -1} />}
        </div>
      ))}
    </div>
  );
}
