import type { Level } from '@sonnenwarte/contract/levels';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useGlobalState } from '../state/global-state.ts';
import styles from './can.module.css';
import { Hint } from './hint.tsx';

/** Whether the signed-in account holds a permission code. */
export function useCan(): (code: PermissionCode) => boolean {
  const held = useGlobalState((state) => state.buttonPermissions);
  return (code) => held.includes(code);
}

/** Name of a permission in the user's language. */
export function usePermissionLabel(): (code: PermissionCode) => string {
  const { t } = useTranslation();
  return (code) => t(`permissions.code.${code.replace(':', '.')}` as never, { defaultValue: code, nsSeparator: false });
}

/** While an administrator looks through other eyes: why those do not see something, else `undefined`. */
export function useHiddenReason(): (code: PermissionCode) => string | undefined {
  const { t } = useTranslation();
  const can = useCan();
  const label = usePermissionLabel();
  const viewAs = useGlobalState((state) => state.viewAs);
  return (code) => {
    if (viewAs === null || can(code)) return undefined;
    const holders: readonly Level[] = permissions[code];
    return holders.includes(viewAs.level)
      ? t('blocks.hidden.code', { permission: label(code) })
      : t('blocks.hidden.level', { level: t(`levels.${viewAs.level}`) });
  };
}

interface CanProps {
  code: PermissionCode;
  /** What is drawn in the frame of a hidden element, where the element itself would read data. */
  outline?: ReactNode;
  children: ReactNode;
}

/** Shows an element to who holds the permission. Seen through other eyes, its place is drawn with the reason instead. */
export function Can({ code, outline, children }: CanProps): ReactNode {
  const can = useCan();
  const reasonOf = useHiddenReason();
  const { t } = useTranslation();
  if (can(code)) return children;
  const reason = reasonOf(code);
  if (reason === undefined) return null;
  return (
    <span className={styles.hidden}>
      <Hint text={reason} label={t('blocks.hidden.place')} className={styles.mark ?? ''}>
        <span className={styles.dot} aria-hidden="true" />
      </Hint>
      <span inert className={styles.ghost}>
        {outline ?? children}
      </span>
    </span>
  );
}
