import { accounts, type MigrationParty } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { LevelBadge } from '../blocks/show/badge.tsx';
import { RecordEntry } from '../blocks/widgets/record-entry.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './migrations.module.css';

interface AccountPickerProps {
  label: string;
  value: MigrationParty | undefined;
  onChange: (party: MigrationParty | undefined) => void;
  /** The account that plants leave, where the one that they come to is chosen. */
  source?: MigrationParty;
}

/** Searches an account and shows the chosen one with its organisation, agents and number of plants. */
export function AccountPicker({ label, value, onChange, source }: AccountPickerProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className={styles.party} aria-labelledby={`${id}-label`}>
      <h3 id={`${id}-label`} className={styles.partyTitle}>
        {label}
      </h3>
      <RecordEntry
        id={id}
        labelledBy={`${id}-label`}
        source={{
          endpoint: accounts,
          ...(source && { input: { sourceID: source.accountID } }),
          search: t('migrations-of-accounts.form.search'),
          none: t('migrations-of-accounts.form.noAccounts'),
        }}
        value={value?.accountID ?? ''}
        onChange={(_, choice) => onChange(choice?.party)}
      />
      {value && (
        <div className={styles.chosen}>
          <Party party={value} />
        </div>
      )}
    </section>
  );
}

function Party({ party }: { party: MigrationParty }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className={styles.who}>
      <span className={styles.user}>
        {party.user} <LevelBadge level={party.level} />
      </span>
      <span className={styles.note}>{[party.name, party.email].filter((text) => text !== '').join(' · ')}</span>
      <span className={styles.note}>{[...party.parentAgents, party.organisation].join(' › ')}</span>
      <span className={styles.note}>
        {t('migrations-of-accounts.form.plantsOf', { number: format.number(party.sites) })}
      </span>
    </span>
  );
}
