import { type Route, type RouteName, routes } from '@sonnenwarte/contract/routes';
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { addressOf, go } from '../../router/navigation.ts';
import type { Query } from '../../router/query.ts';
import { useGlobalState } from '../../state/global-state.ts';
import { pathOf } from '../../tabs/tab-context.ts';
import { Hidden } from '../actions/can.tsx';

export interface ScreenTarget {
  to: RouteName;
  query?: Query;
}

export const addressOfScreen = ({ to, query }: ScreenTarget): string => addressOf(pathOf(to), query);

export const openScreen = ({ to, query }: ScreenTarget): void => go(pathOf(to), query);

/** Whether a click means "here", and not a new window or a context menu. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;

const codeOf: ReadonlyMap<string, Pick<Route, 'code'>> = new Map(
  (routes as readonly Route[]).map((route) => [route.name, route]),
);

/** Whether the codes of the session leave a screen open, by its route; all is open until the server has said it. */
export function useOpenRoutes(): (to: RouteName) => boolean {
  const open = useGlobalState((state) => state.menuCode);
  return (to) => codeOf.get(to)?.code === undefined || (open?.includes(to) ?? true);
}

interface ScreenLinkProps extends ScreenTarget, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  children: ReactNode;
}

/** A link to a screen, which opens in its own tab of the workspace. It is there for those to whom the route is open. */
export function ScreenLink({ to, query, onClick, children, ...rest }: ScreenLinkProps) {
  const target: ScreenTarget = query === undefined ? { to } : { to, query };
  const isOpen = useOpenRoutes();
  const link = (
    <a
      {...rest}
      href={addressOfScreen(target)}
      onClick={(event) => {
        onClick?.(event);
        if (!isPlainClick(event)) return;
        event.preventDefault();
        openScreen(target);
      }}
    >
      {children}
    </a>
  );
  return isOpen(to) ? link : <Hidden of={codeOf.get(to) ?? {}}>{link}</Hidden>;
}
