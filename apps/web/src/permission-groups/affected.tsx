import { detail, type PermissionGroupRow } from '@sonnenwarte/contract/permission-groups/permission-groups';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';
import styles from './permission-groups.module.css';

/** Which members a group concerns, and when a change reaches them. */
export function Affected({ row, effect = false }: { row: PermissionGroupRow; effect?: boolean }) {
  const { t } = useTranslation();
  const { data } = useQuery(read(detail, { permissionGroupID: row.permissionGroupID }));
  const count = data?.members ?? row.members;
  if (count === 0) return <p className={styles.note}>{t('permission-groups.affectsNone')}</p>;
  const named = data?.memberAccounts ?? [];
  const names = named.length < count && data ? `${named.join(', ')} …` : named.join(', ');
  return (
    <>
      <p className={styles.note}>{t('permission-groups.affects', { count, names })}</p>
      {effect && <p className={styles.note}>{t('permission-groups.effect')}</p>}
    </>
  );
}
