import type { RouteName } from '@sonnenwarte/contract/routes';
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { addressOf, go } from '../router/navigation.ts';
import type { Query } from '../router/search.ts';
import { pathOf } from '../shell/tab-context.ts';

export interface ScreenTarget {
  to: RouteName;
  query?: Query;
}

export const addressOfScreen = ({ to, query }: ScreenTarget): string => addressOf(pathOf(to), query);

export const openScreen = ({ to, query }: ScreenTarget): void => go(pathOf(to), query);

/** Whether a click means "here", and not a new window or a context menu. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;

interface ScreenLinkProps extends ScreenTarget, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  children: ReactNode;
}

/** A link to a screen, which opens in its own tab of the workspace. */
export function ScreenLink({ to, query, onClick, children, ...rest }: ScreenLinkProps) {
  const target: ScreenTarget = query === undefined ? { to } : { to, query };
  return (
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
}
