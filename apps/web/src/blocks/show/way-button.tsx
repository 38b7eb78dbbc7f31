import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useGlobalState } from '../../state/global-state.ts';
import type { RowAction } from '../overlay/action-menu.tsx';
import { ButtonLink } from './button.tsx';
import { addressOfScreen, isPlainClick, openScreen, type ScreenTarget } from './screen-link.tsx';

type Way =
  | 'remote-setting'
  | 'device-ems-config'
  | 'analysis'
  | 'fault-record'
  | 'work-model'
  | 'work-order-add'
  | 'alarm-rules'
  | 'alarm-deliveries'
  | 'announcements';

export interface WayButtonProps extends Omit<ScreenTarget, 'to'> {
  to: Way;
  look?: 'filled';
}

/** The way to another screen, at the title of one; there for those to whom that screen is open. */
export function WayButton({ to, query, look }: WayButtonProps): ReactNode {
  const { t } = useTranslation();
  const isOpen = useGlobalState(({ menuCode }) => menuCode?.includes(to) ?? false);
  if (!isOpen) return null;
  const target: ScreenTarget = query === undefined ? { to } : { to, query };
  return (
    <ButtonLink
      {...(look && { look })}
      href={addressOfScreen(target)}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        openScreen(target);
      }}
    >
      {t(`routes.${to}`)}
    </ButtonLink>
  );
}

/** The same as entries of a menu, where there is no room for buttons. */
export function useWayActions(ways: readonly WayButtonProps[]): RowAction[] {
  const { t } = useTranslation();
  const open = useGlobalState(({ menuCode }) => menuCode) ?? [];
  return ways
    .filter(({ to }) => open.includes(to))
    .map(({ to, query }) => ({
      label: t(`routes.${to}`),
      onSelect: () => openScreen(query === undefined ? { to } : { to, query }),
    }));
}
