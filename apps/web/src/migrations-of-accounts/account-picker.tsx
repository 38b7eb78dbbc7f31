import { accounts, type MigrationParty } from '@sonnenwarte/contract/migrations-of-accounts/migrations-of-accounts';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LevelBadge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { read } from '../client/queries.ts';
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
    <section className={styles.party} aria-labelledby={id}>
      <h3 id={id} className={styles.partyTitle}>
        {label}
      </h3>
      {value === undefined ? (
        <Choices label={label} source={source} onChange={onChange} />
      ) : (
        <div className={styles.chosen}>
          <Party party={value} />
          <Button small onClick={() => onChange(undefined)}>
            {t('migrations-of-accounts.form.change')}
          </Button>
        </div>
      )}
    </section>
  );
}

interface ChoicesProps {
  label: string;
  source: MigrationParty | undefined;
  onChange: (party: MigrationParty) => void;
}

function Choices({ label, source, onChange }: ChoicesProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const content = useDeferredValue(typed.trim().slice(0, 64));
  const found = useQuery({
    ...read(accounts, { content, ...(source && { sourceID: source.accountID }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <span className={styles.search}>
        <IconSearch size={16} aria-hidden="true" />
        <input
          type="search"
          value={typed}
          aria-label={label}
          placeholder={t('migrations-of-accounts.form.search')}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </span>
      {found.error && <ErrorNotice error={found.error} retry={() => found.refetch()} />}
      {found.data?.accounts.length === 0 && (
        <p className={styles.note}>{t('migrations-of-accounts.form.noAccounts')}</p>
      )}
      <ul className={styles.choices} aria-busy={found.isFetching}>
        {found.data?.accounts.map((party) => (
          <li key={party.accountID}>
            <button type="button" className={styles.choice} onClick={() => onChange(party)}>
              <Party party={party} />
            </button>
          </li>
        ))}
      </ul>
    </>
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
