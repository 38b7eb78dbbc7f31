import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { RowActions } from '../list/row-actions.tsx';
import type { RowAction } from '../overlay/action-menu.tsx';
import styles from './tree.module.css';
import { branchIds, pathTo, visibleNodes } from './tree-keys.ts';
import { useTreeKeys } from './use-tree-keys.ts';

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
  const shown = visibleNodes(nodes, expanded);
  const expand = (id: string, open: boolean) => {
    const next = new Set(expanded);
    if (open) next.add(id);
    else next.delete(id);
    setExpanded(next);
  };
  const keys = useTreeKeys<N, HTMLDivElement>({ shown, selected, expand, select: onSelect });
  const { focus } = keys;

  return (
    <div ref={keys.root} role="tree" aria-label={label} className={styles.tree} onKeyDown={keys.onKeyDown}>
      {shown.map(({ node, level, position, siblings, expanded: open }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of its items
        <div
          key={node.id}
          role="treeitem"
          {...keys.nodeProps(node.id)}
          tabIndex={keys.tabIndexOf(node.id)}
          className={styles.item}
          style={{ '--level': level - 1 } as Record<string, number>}
          aria-level={level}
          aria-posinset={position}
          aria-setsize={siblings}
          aria-expanded={open}
          aria-selected={node.id === selected}
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
          {actions && <RowActions name={node.name} actions={actions(node)} tabIndex={keys.tabIndexOf(node.id)} />}
        </div>
      ))}
    </div>
  );
}
