import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useGlobalState } from '../../state/global-state.ts';
import { ButtonLink } from './button.tsx';
import { addressOfScreen, isPlainClick, openScreen, type ScreenTarget } from './screen-link.tsx';

type Way = 'remote-setting' | 'device-ems-config' | 'analysis' | 'work-model';

/** The way to another screen, at the title of one; there for those to whom that screen is open. */
export function WayButton({ to, query }: Omit<ScreenTarget, 'to'> & { to: Way }): ReactNode {
  const { t } = useTranslation();
  const isOpen = useGlobalState(({ menuCode }) => menuCode?.includes(to) ?? false);
  if (!isOpen) return null;
  const target: ScreenTarget = query === undefined ? { to } : { to, query };
  return (
    <ButtonLink
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
