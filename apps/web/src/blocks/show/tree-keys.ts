/** What a tree needs to know of a node. */
export interface Branch {
  id: string;
  /** Text that typing finds. */
  name: string;
  children?: readonly Branch[];
}

/** All nodes of a tree are of one type. */
const childrenOf = <N extends Branch>(node: N): readonly N[] => (node.children ?? []) as readonly N[];

export interface VisibleNode<N> {
  node: N;
  parent: N | undefined;
  /** From 1. */
  level: number;
  /** From 1, among its siblings. */
  position: number;
  siblings: number;
  /** `undefined` where there is nothing beneath. */
  expanded: boolean | undefined;
}

/** The nodes that are shown, from top to bottom. */
export function visibleNodes<N extends Branch>(
  nodes: readonly N[],
  expanded: ReadonlySet<string>,
  level = 1,
  parent?: N,
): readonly VisibleNode<N>[] {
  return nodes.flatMap((node, index) => {
    const children = childrenOf(node);
    const open = children.length > 0 ? expanded.has(node.id) : undefined;
    return [
      { node, parent, level, position: index + 1, siblings: nodes.length, expanded: open },
      ...(open ? visibleNodes(children, expanded, level + 1, node) : []),
    ];
  });
}

/** What a key does in a tree (WAI-ARIA, tree view pattern). */
export type TreeMove = { kind: 'focus'; id: string } | { kind: 'expand' | 'collapse' | 'select'; id: string };

export function treeMove<N extends Branch>(
  shown: readonly VisibleNode<N>[],
  focusedId: string,
  key: string,
): TreeMove | undefined {
  const at = shown.findIndex(({ node }) => node.id === focusedId);
  const here = shown[at];
  if (!here) return undefined;
  const focus = (found: VisibleNode<N> | undefined): TreeMove | undefined =>
    found && { kind: 'focus', id: found.node.id };
  switch (key) {
    case 'ArrowDown':
      return focus(shown[at + 1]);
    case 'ArrowUp':
      return focus(shown[at - 1]);
    case 'Home':
      return focus(shown[0]);
    case 'End':
      return focus(shown.at(-1));
    case 'ArrowRight':
      if (here.expanded === undefined) return undefined;
      return here.expanded ? focus(shown[at + 1]) : { kind: 'expand', id: focusedId };
    case 'ArrowLeft':
      if (here.expanded) return { kind: 'collapse', id: focusedId };
      return here.parent && { kind: 'focus', id: here.parent.id };
    case 'Enter':
    case ' ':
      return { kind: 'select', id: focusedId };
    default:
      return key.length === 1 ? focus(byLetter(shown, at, key)) : undefined;
  }
}

/** The next node, from here and around, whose name begins with the letter. */
function byLetter<N extends Branch>(shown: readonly VisibleNode<N>[], at: number, letter: string) {
  const around = [...shown.slice(at + 1), ...shown.slice(0, at)];
  return around.find(({ node }) => node.name.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase()));
}

/** Ids of the nodes above a node. */
export function pathTo<N extends Branch>(nodes: readonly N[], id: string): readonly string[] | undefined {
  for (const node of nodes) {
    if (node.id === id) return [];
    const beneath = pathTo(childrenOf(node), id);
    if (beneath) return [node.id, ...beneath];
  }
  return undefined;
}

/** Ids of all nodes that have something beneath, down to a depth. */
export const branchIds = <N extends Branch>(nodes: readonly N[], depth: number): readonly string[] =>
  depth === 0
    ? []
    : nodes.flatMap((node) => {
        const children = childrenOf(node);
        return children.length === 0 ? [] : [node.id, ...branchIds(children, depth - 1)];
      });
