import { type FocusEventHandler, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { type Branch, treeMove, type VisibleNode } from './tree-keys.ts';

interface TreeKeysOptions<N> {
  /** The nodes that are shown, from top to bottom. */
  readonly shown: readonly VisibleNode<N>[];
  /** On which the keys begin; else on the first. */
  readonly selected?: string | undefined;
  readonly expand: (id: string, open: boolean) => void;
  readonly select: (node: N) => void;
}

interface TreeKeys<E extends HTMLElement> {
  /** Of the element that holds the nodes; each has its id as `data-node`. */
  readonly root: RefObject<E | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly focus: (id: string) => void;
  /** What each node carries so that keys and focus find it. */
  readonly nodeProps: (id: string) => {
    readonly 'data-node': string;
    readonly onFocus: FocusEventHandler;
  };
  /** One node alone is reached by the tab key. */
  readonly tabIndexOf: (id: string) => 0 | -1;
}

/** Focus and keys of a tree or treegrid: arrows walk and open, a letter finds a name, Enter and space select. */
export function useTreeKeys<N extends Branch, E extends HTMLElement>(options: TreeKeysOptions<N>): TreeKeys<E> {
  const { shown, selected, expand, select } = options;
  const [focused, setFocused] = useState(selected);
  const root = useRef<E>(null);
  const isShown = (id: string | undefined): boolean => shown.some(({ node }) => node.id === id);
  const current = [focused, selected].find(isShown) ?? shown[0]?.node.id;
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
      if (found) select(found.node);
    } else expand(move.id, move.kind === 'expand');
  };
  return {
    root,
    onKeyDown,
    focus,
    nodeProps: (id) => ({ 'data-node': id, onFocus: () => setFocused(id) }),
    tabIndexOf: (id) => (id === current ? 0 : -1),
  };
}
