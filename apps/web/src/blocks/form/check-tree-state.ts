import type { CheckGroup } from './check-tree.tsx';

type Group = Pick<CheckGroup, 'items'>;

export const groupState = ({ items }: Group, chosen: ReadonlySet<string>): 'all' | 'some' | 'none' => {
  const count = items.filter(({ id }) => chosen.has(id)).length;
  if (count === 0) return 'none';
  return count === items.length ? 'all' : 'some';
};

export const toggleItem = (id: string, value: readonly string[]): readonly string[] =>
  value.includes(id) ? value.filter((each) => each !== id) : [...value, id];

/** Chooses all that may be changed, or none of them where all are chosen already. */
export function toggleGroup({ items }: Group, value: readonly string[]): readonly string[] {
  const changeable = items.filter(({ disabled }) => !disabled).map(({ id }) => id);
  const others = value.filter((id) => !changeable.includes(id));
  return changeable.every((id) => value.includes(id)) ? others : [...others, ...changeable];
}
