import { IconDots } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ActionMenu, type RowAction } from '../overlay/action-menu.tsx';
import styles from './row-actions.module.css';

interface RowActionsProps {
  /** Name of the row. */
  name: string;
  actions: readonly RowAction[];
  tabIndex?: number;
}

/** The "⋯" of a row, a card or a node. */
export function RowActions({ name, actions, tabIndex }: RowActionsProps) {
  const { t } = useTranslation();
  return (
    <ActionMenu
      label={t('blocks.actionsFor', { name })}
      button={<IconDots size={18} aria-hidden="true" />}
      className={styles.button ?? ''}
      actions={actions}
      {...(tabIndex === undefined ? {} : { tabIndex })}
    />
  );
}
