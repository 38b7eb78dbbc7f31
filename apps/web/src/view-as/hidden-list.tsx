import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionLabel } from '../blocks/actions/can.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { hasScreen } from '../screens.ts';
import { useGlobalState, type ViewAs } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { type HiddenReason, hiddenCodes, hiddenRoutes } from './hidden.ts';
import styles from './view-as.module.css';

interface HiddenListProps {
  viewAs: ViewAs;
  onClose: () => void;
}

/** Everything that the seen level, account or group does not see, with the reason. */
export function HiddenList({ viewAs, onClose }: HiddenListProps): ReactNode {
  const { t, i18n } = useTranslation();
  const routeLabel = useRouteLabel();
  const permissionLabel = usePermissionLabel();
  const held = useGlobalState((state) => state.buttonPermissions);
  const { level, groupName } = viewAs;
  const textOf = (reason: HiddenReason): string => {
    if (reason.because === 'level') return t('view-as.hidden.level', { level: t(`levels.${level}`) });
    if (reason.because === 'screen') return t('view-as.hidden.screen');
    const permission = permissionLabel(reason.code);
    return groupName === null
      ? t('view-as.hidden.account', { permission })
      : t('view-as.hidden.group', { group: groupName, permission });
  };
  // What the portal does not have yet has no name either, and is hidden from nobody in particular.
  const named = hiddenRoutes(level, held, hasScreen).filter(({ name }) => i18n.exists(`routes.${name}`));
  const menu = named.map(({ name, reason }) => ({
    id: name,
    label: routeLabel(name),
    reason: textOf(reason),
  }));
  const codes = hiddenCodes(level, held).map(({ code, reason }) => ({
    id: code,
    label: permissionLabel(code),
    reason: textOf(reason),
  }));
  return (
    <Dialog title={t('view-as.whatHidden')} opened onClose={onClose} shape="drawer" wide>
      <div className={styles.hidden}>
        <Reasons title={t('view-as.hidden.menu')} rows={menu} />
        <Reasons title={t('view-as.hidden.codes')} rows={codes} />
      </div>
    </Dialog>
  );
}

interface ReasonsProps {
  title: string;
  rows: readonly { id: string; label: string; reason: string }[];
}

function Reasons({ title, rows }: ReasonsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <section>
      <h3 className={styles.heading}>{title}</h3>
      {rows.length === 0 ? (
        <p className={styles.note}>{t('view-as.hidden.nothing')}</p>
      ) : (
        <dl className={styles.reasons}>
          {rows.map(({ id, label, reason }) => (
            <div key={id} className={styles.reason}>
              <dt>{label}</dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
