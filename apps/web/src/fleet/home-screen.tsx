import { createElement, type ReactNode } from 'react';
import { useGlobalState } from '../state/global-state.ts';
import { homeAt } from './homes.ts';

/** Is anything wrong, and where: told in the way of the level that asks. */
export function HomeScreen(): ReactNode {
  return createElement(homeAt(useGlobalState((state) => state.access)));
}
