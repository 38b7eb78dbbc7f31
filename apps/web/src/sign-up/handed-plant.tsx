import { info } from '@sonnenwarte/contract/accounts/own-account';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { take } from '@sonnenwarte/contract/handover/handover';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { signUpInvitation } from '@sonnenwarte/contract/sign-up/sign-up';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { read, useWrite, write } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { expectPlant } from '../handover/arrival.ts';
import { Field, SubmitButton } from '../login/field.tsx';
import { signIn } from '../login/sign-in.ts';
import { go } from '../router/navigation.ts';
import { useGlobalState } from '../state/global-state.ts';
import { tokenOf } from '../state/session.ts';
import styles from './sign-up-screen.module.css';

interface HandedPlantProps {
  code: string;
  organisation: string;
  plant: NonNullable<NonNullable<Result<typeof signUpInvitation>['invitation']>['plant']>;
  /** The form of a new account. */
  children: ReactNode;
}

/** Which plant of whom one takes over, with a new account, one's own, or that which is signed in. */
export function HandedPlant({ code, organisation, plant, children }: HandedPlantProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [account, setAccount] = useState<'new' | 'existing'>('new');
  const isSignedIn = useGlobalState(({ access }) => access === LEVEL.endUser) && tokenOf() !== '';
  const facts = [
    [plant.city, format.country(plant.country)].filter((each) => each !== '').join(', '),
    plant.systemCapacity > 0 ? format.capacity(plant.systemCapacity, 1) : '',
  ];
  return (
    <>
      <div className={styles.invitation}>
        <span>{t('sign-up.handover.by', { organisation })}</span>
        <p>{plant.name}</p>
        <span>{facts.filter((fact) => fact !== '').join(' · ')}</span>
      </div>
      {isSignedIn && <TakeSignedIn code={code} />}
      {!isSignedIn && (
        <>
          <Segmented
            wide
            label={t('sign-up.handover.choice')}
            value={account}
            options={(['new', 'existing'] as const).map((value) => ({ value, label: t(`sign-up.handover.${value}`) }))}
            onChange={setAccount}
          />
          {account === 'new' ? children : <SignInAndTake code={code} />}
        </>
      )}
    </>
  );
}

function TakeSignedIn({ code }: { code: string }): ReactNode {
  const { t } = useTranslation();
  const account = useQuery(read(info, {}));
  const taking = useWrite(take, { inPlace: true });
  const begin = (): void =>
    taking.mutate(
      { code },
      {
        onSuccess: () => {
          expectPlant();
          go('/bus/index');
        },
      },
    );
  return (
    <div className={styles.role}>
      {account.data && <p>{t('sign-up.handover.signedIn', { user: account.data.user })}</p>}
      <Button look="filled" wide aria-disabled={taking.isPending} onClick={() => !taking.isPending && begin()}>
        {t('sign-up.handover.takeNow')}
      </Button>
      {taking.error && <ErrorNotice error={taking.error} />}
    </div>
  );
}

/** Signs in and takes over; what is refused of the code is said on the home, to which one comes anyhow. */
function SignInAndTake({ code }: { code: string }): ReactNode {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const enter = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await signIn(user.trim(), password);
    } catch (failure) {
      setError(failure);
      setBusy(false);
      return;
    }
    await write(take, { code }).then(expectPlant, () => undefined);
  };
  return (
    <form className={styles.role} onSubmit={(event) => void enter(event)}>
      <Field
        label={t('login.user')}
        value={user}
        onChange={(event) => setUser(event.currentTarget.value)}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Field
        type="password"
        label={t('login.password')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        name="password"
        autoComplete="current-password"
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <SubmitButton label={t('sign-up.handover.take')} busy={busy} />
    </form>
  );
}
