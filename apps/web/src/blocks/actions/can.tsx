import { codesOfCall, type Endpoint } from '@sonnenwarte/contract/endpoint';
import type { Level } from '@sonnenwarte/contract/levels';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Permitted, permitOf } from '../../client/permit.ts';
import { useGlobalState } from '../../state/global-state.ts';
import { Hint } from '../overlay/hint.tsx';
import styles from './can.module.css';

/** What codes guard: a call, or the route of a screen. */
type Guarded = Pick<Endpoint, 'code' | 'anyOf'>;

/** Gives an endpoint to who may call it, by the code that the contract says of it. */
export function usePermit(): <const E extends Endpoint>(of: E) => Permitted<E> | undefined {
  const level = useGlobalState((state) => state.access);
  const held = useGlobalState((state) => state.buttonPermissions);
  return (of) => permitOf(of, level, held);
}

/** Name of a permission in the user's language. */
export function usePermissionLabel(): (code: PermissionCode) => string {
  const { t } = useTranslation();
  return (code) => t(`permissions.code.${code.replace(':', '.')}` as never, { defaultValue: code, nsSeparator: false });
}

/** While an administrator looks through other eyes: why those do not see what they lack the code of, else `undefined`. */
export function useHiddenReason(): (of: Guarded) => string | undefined {
  const { t } = useTranslation();
  const label = usePermissionLabel();
  const viewAs = useGlobalState((state) => state.viewAs);
  return (of) => {
    const [code] = codesOfCall(of);
    if (viewAs === null || code === undefined) return undefined;
    const holders: readonly Level[] = permissions[code];
    return holders.includes(viewAs.level)
      ? t('blocks.hidden.code', { permission: label(code) })
      : t('blocks.hidden.level', { level: t(`levels.${viewAs.level}`) });
  };
}

/** The place of an element that is not shown. Seen through other eyes it is drawn, with the reason; else it is empty. */
export function Hidden({ of, children }: { of: Guarded; children: ReactNode }): ReactNode {
  const reason = useHiddenReason()(of);
  const { t } = useTranslation();
  if (reason === undefined) return null;
  return (
    <span className={styles.hidden}>
      <Hint text={reason} label={t('blocks.hidden.place')} className={styles.mark ?? ''}>
        <span className={styles.dot} aria-hidden="true" />
      </Hint>
      <span inert className={styles.ghost}>
        {children}
      </span>
    </span>
  );
}

interface CanProps<E> {
  of: E;
  /** The element; where it calls the endpoint itself, a function that is given the permitted one. */
  children: ReactNode | ((of: Permitted<E>) => ReactNode);
  /** What is drawn in the place of a hidden element, where the element itself would read data. */
  outline?: ReactNode;
}

/** Shows an element to who may call an endpoint. */
export function Can<const E extends Endpoint>({ of, children, outline }: CanProps<E>): ReactNode {
  const permitted = usePermit()(of);
  const shown = (endpoint: Permitted<E>) => (typeof children === 'function' ? children(endpoint) : children);
  if (permitted) return shown(permitted);
  // What is drawn there is inert: nobody calls the endpoint from it.
  return <Hidden of={of}>{outline ?? shown(of as Permitted<E>)}</Hidden>;
}
