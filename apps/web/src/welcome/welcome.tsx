import { askToConfirm, info, type UserInfo } from '@sonnenwarte/contract/accounts/own-account';
import { operator } from '@sonnenwarte/contract/legal/legal';
import { list } from '@sonnenwarte/contract/sites/sites';
import { installer } from '@sonnenwarte/contract/user-center/user-center';
import { IconCheck, IconQrcode } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ContactLinks } from '../blocks/show/contact-links.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read, useWrite } from '../client/queries.ts';
import { EnergyFlow } from '../flow/energy-flow.tsx';
import { expectPlant } from '../handover/arrival.ts';
import { TakeDialog } from '../handover/take-dialog.tsx';
import { useFleetLive } from '../live/use-live.ts';
import { showNotice } from '../notices/notices.ts';
import { siteAdding } from '../sites/site-actions.tsx';
import { notYet } from './not-yet.ts';
import styles from './welcome.module.css';

/** Whoever opens the mailed link elsewhere sees it here soon. */
const CONFIRMED_CHECK_MS = 10_000;

/** Home of an end user before there is a plant: what is done, what is next, and whom to ask. */
export function Welcome(): ReactNode {
  const { t } = useTranslation();
  const account = useQuery({
    ...read(info, {}),
    refetchInterval: ({ state }) => (state.data?.emailConfirmed ? false : CONFIRMED_CHECK_MS),
  });
  useArrival();
  const { data } = account;
  return (
    <div className={styles.screen}>
      <ReadState query={account}>
        <Skeleton height="24rem" />
      </ReadState>
      {data && (
        <>
          <header className={styles.head}>
            <h1>{t('welcome.title', { name: data.name || data.user })}</h1>
            <p>{t(data.emailConfirmed ? 'welcome.left.1' : 'welcome.left.2')}</p>
          </header>
          <div className={styles.pair}>
            <Steps account={data} />
            <Helper />
          </div>
        </>
      )}
      <div className={styles.preview}>
        <Panel title={t('flow.title')} actions={<span className={styles.badge}>{t('welcome.preview')}</span>}>
          <div inert>
            <EnergyFlow live={notYet} stale empty />
          </div>
        </Panel>
      </div>
    </div>
  );
}

/** A plant that comes is told by the live stream: the home is asked for anew, and says its name. */
function useArrival(): void {
  const { t } = useTranslation();
  const client = useQueryClient();
  const total = useFleetLive()?.plants.total ?? 0;
  useEffect(() => {
    if (total === 0) return;
    expectPlant();
    const options = read(list, { pageSize: 50 });
    client.fetchQuery({ ...options, staleTime: 0 }).then(
      ({ plants: [first] }) =>
        first && showNotice({ id: 'plant-here', text: t('welcome.arrived', { plant: first.name }), color: 'brand' }),
      // The home asks again by itself.
      () => undefined,
    );
  }, [total, client, t]);
}

type StepState = 'done' | 'next' | 'later';

interface StepProps {
  number: number;
  state: StepState;
  title: string;
  text: string;
  children?: ReactNode;
}

function Step({ number, state, title, text, children }: StepProps): ReactNode {
  const { t } = useTranslation();
  return (
    <li className={styles.step} data-state={state}>
      <span className={styles.number} aria-hidden="true">
        {state === 'done' ? <IconCheck size={18} /> : number}
      </span>
      <div className={styles.stepBody}>
        <h2>{title}</h2>
        <p>{text}</p>
        {children}
      </div>
      <span className={styles.badge} data-done={state === 'done' || undefined}>
        {t(state === 'done' ? 'welcome.done' : 'welcome.open')}
      </span>
    </li>
  );
}

/** Account, mail and plant; the button of the next one is filled. */
function Steps({ account }: { account: UserInfo }): ReactNode {
  const { t } = useTranslation();
  const ask = useWrite(askToConfirm, { inPlace: true });
  const helper = useQuery(read(installer, {}));
  const [taking, setTaking] = useState(false);
  const { user, email, emailConfirmed } = account;
  const mailIsNext = !emailConfirmed && !ask.isSuccess;
  const name = helper.data?.installer ?? null;
  return (
    <Panel>
      <ol className={styles.steps}>
        <Step number={1} state="done" title={t('welcome.account')} text={user} />
        <Step
          number={2}
          state={emailConfirmed ? 'done' : 'next'}
          title={t('welcome.email')}
          text={t(emailConfirmed ? 'welcome.emailDone' : 'welcome.emailText', { email })}
        >
          {!emailConfirmed && (
            <div className={styles.buttons}>
              {ask.isSuccess ? (
                <p role="status">{t('welcome.sent')}</p>
              ) : (
                <Button look="filled" aria-disabled={ask.isPending} onClick={() => !ask.isPending && ask.mutate({})}>
                  {t('welcome.again')}
                </Button>
              )}
              <ScreenLink to="user-center">{t('welcome.change')}</ScreenLink>
            </div>
          )}
          {ask.error && <ErrorNotice error={ask.error} />}
        </Step>
        <Step
          number={3}
          state={mailIsNext ? 'later' : 'next'}
          title={t('welcome.plant')}
          text={name === null ? t('welcome.plantTextAlone') : t('welcome.plantText', { installer: name })}
        >
          <div className={styles.buttons}>
            <ActionButtons table={siteAdding} row={{}} look={mailIsNext ? 'default' : 'filled'} />
            <Button onClick={() => setTaking(true)}>
              <IconQrcode size={18} aria-hidden="true" />
              {t('welcome.enterCode')}
            </Button>
          </div>
        </Step>
      </ol>
      {taking && <TakeDialog onClose={() => setTaking(false)} />}
    </Panel>
  );
}

/** The installer with phone and mail; where there is none, who operates the portal. Where nobody can be reached, where to ask. */
function Helper(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(read(installer, {}));
  const legal = useQuery(read(operator, {}));
  const isPhone = useIsPhone();
  const { data } = query;
  const isInstaller = data !== undefined && data.installer !== null;
  const others = isInstaller ? undefined : legal.data;
  const isSettled = isInstaller || !legal.isPending;
  const isUnknown =
    isSettled && data?.contact.phone === '' && data.contact.email === '' && (others?.contact ?? '') === '';
  const name = isInstaller ? (data.installer ?? '') : ((others?.name || data?.contact.name) ?? '');
  return (
    <Panel title={t(isInstaller ? 'welcome.installer' : 'welcome.platform')}>
      <ReadState query={query}>
        <Skeleton height="4rem" />
      </ReadState>
      {data && (
        <div className={styles.helper}>
          {name !== '' && <strong>{name}</strong>}
          <ContactLinks {...data.contact} name="" />
          {others !== undefined && others.contact !== '' && <p>{others.contact}</p>}
          {isUnknown && <p>{t('welcome.noContact')}</p>}
        </div>
      )}
      <p className={styles.hint}>
        <IconQrcode size={20} aria-hidden="true" />
        {isPhone ? t('welcome.sheetHint.phone') : t('welcome.sheetHint.desk', { button: t('welcome.enterCode') })}
      </p>
    </Panel>
  );
}
