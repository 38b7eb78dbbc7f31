import type { Result } from '@sonnenwarte/contract/endpoint';
import { isLanguage } from '@sonnenwarte/contract/languages';
import type { Level } from '@sonnenwarte/contract/levels';
import { type SignUpRole, signUp, signUpInvitation, signUpRoles } from '@sonnenwarte/contract/sign-up/sign-up';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CountryField } from '../blocks/form/country-field.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { CheckField, PasswordField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow, Form } from '../blocks/form/form.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { expectPlant } from '../handover/arrival.ts';
import { showLanguage } from '../language/i18n.ts';
import { rememberName } from '../login/entered-name.ts';
import { EntryForm } from '../login/entry-form.tsx';
import { EntryLink, EntryLinks } from '../login/entry-links.tsx';
import { invalid } from '../login/new-password-fields.tsx';
import { noteLanguageChoice, signIn } from '../login/sign-in.ts';
import { go } from '../router/navigation.ts';
import { usePlace } from '../router/place.ts';
import { parseQuery } from '../router/query.ts';
import { globalState } from '../state/global-state.ts';
import { HandedPlant } from './handed-plant.tsx';
import styles from './sign-up-screen.module.css';

interface Values {
  role: SignUpRole;
  user: string;
  password: string;
  confirm: string;
  email: string;
  phone: string;
  country: string;
  city: string;
  company: string;
  code: string;
  termsAccepted: boolean;
}

const levelOf = { endUser: 1, installer: 2 } as const satisfies Record<SignUpRole, Level>;

const empty: Values = {
  role: 'endUser',
  user: '',
  password: '',
  confirm: '',
  email: '',
  phone: '',
  country: '',
  city: '',
  company: '',
  code: '',
  termsAccepted: false,
};

/** Signs in with the new account; where that has to wait, the sign-in page begins with its name. */
async function enter(user: string, password: string): Promise<void> {
  try {
    await signIn(user, password);
  } catch {
    rememberName(user);
    go('/login');
  }
}

/** What a link brings along; the country is that of the plant. */
interface Invited {
  readonly code: string;
  readonly role: SignUpRole;
  readonly country?: string;
}

function useSignUpForm(invited: Invited | undefined): EndpointForm<Values, 'sign-up'> {
  const { t } = useTranslation();
  const codeWrong = t(invited === undefined ? 'sign-up.codeWrong' : 'sign-up.invitation.ended');
  return useEndpointForm(signUp, {
    initialValues: { ...empty, ...invited },
    // What was typed without the link, or with another, does not take its place.
    draft: invited === undefined ? 'new' : `by ${invited.code}`,
    prepare: ({ confirm: _, company, ...values }) => ({
      ...values,
      company: values.role === 'installer' ? company : '',
    }),
    check: ({ password, confirm }) => ({
      confirm: password === confirm ? undefined : t('sign-up.passwordsDiffer'),
    }),
    reasons: {
      user: invalid(t('blocks.reason.username'), { taken: t('sign-up.userTaken') }),
      password: invalid(t('sign-up.passwordInvalid')),
      country: invalid(t('sign-up.countryMissing')),
      code: invalid(codeWrong, { wrong: codeWrong, taken: t('sign-up.codeUsed') }),
      termsAccepted: t('sign-up.termsMissing'),
    },
    onDone: (_, { user, password }) => {
      expectPlant();
      return enter(user.trim(), password);
    },
  });
}

function SignUpForm({ invited }: { invited?: Invited }) {
  const { t } = useTranslation();
  const form = useSignUpForm(invited);
  const { role } = form.values;
  return (
    <Form form={form} submitLabel={t('sign-up.submit')}>
      <div className={styles.role}>
        {invited === undefined && (
          <Segmented
            wide
            label={t('sign-up.role')}
            value={role}
            options={signUpRoles.map((each) => ({ value: each, label: t(`levels.${levelOf[each]}`) }))}
            onChange={(chosen) => form.setValue('role', chosen)}
          />
        )}
        <p className={styles.meaning}>{t(`sign-up.meaning.${role}`)}</p>
      </div>
      {invited === undefined && (
        <TextField
          form={form}
          name="code"
          label={t(`sign-up.code.${role}`)}
          description={t(`sign-up.codeUse.${role}`)}
        />
      )}
      <TextField form={form} name="user" hint={t('sign-up.userHint')} autoComplete="username" />
      <FieldRow>
        <PasswordField form={form} name="password" hint={t('password.hint')} />
        <PasswordField
          form={form}
          name="confirm"
          label={t('password.confirm')}
          hint={t('sign-up.confirmHint')}
          required
        />
      </FieldRow>
      <TextField form={form} name="email" description={t('sign-up.emailUse')} autoComplete="email" />
      {role === 'installer' && <TextField form={form} name="company" autoComplete="organization" />}
      <FieldRow>
        <CountryField form={form} name="country" />
        <TextField form={form} name="city" autoComplete="address-level2" />
      </FieldRow>
      <TextField form={form} name="phone" autoComplete="tel" />
      {invited !== undefined && form.errorOf('code') !== undefined && (
        <div className={styles.ended} role="alert">
          <p>{form.errorOf('code')}</p>
          <EntryLink to="/signUp">{t('sign-up.invitation.without')}</EntryLink>
        </div>
      )}
      <div className={styles.terms}>
        <CheckField form={form} name="termsAccepted" />
        <EntryLinks>
          <EntryLink to="/terms" newWindow>
            {t('sign-up.readTerms')}
          </EntryLink>
          <EntryLink to="/privacy" newWindow>
            {t('sign-up.readPrivacy')}
          </EntryLink>
        </EntryLinks>
      </div>
    </Form>
  );
}

type Invitation = Result<typeof signUpInvitation>;

/** Whom the account will belong to, before anything is typed. */
function InvitedForm({ code, invitation, used }: Invitation & { code: string }) {
  const { t } = useTranslation();
  if (invitation === null) {
    return (
      <>
        <p className={styles.ended} role="status">
          {t(used ? 'sign-up.codeUsed' : 'sign-up.invitation.ended')}
        </p>
        <SignUpForm />
      </>
    );
  }
  const country = invitation.plant?.country ?? '';
  const form = <SignUpForm invited={{ code, role: invitation.role, ...(country !== '' && { country }) }} />;
  if (invitation.plant !== null) {
    return (
      <HandedPlant code={code} organisation={invitation.organisation} plant={invitation.plant}>
        {form}
      </HandedPlant>
    );
  }
  return (
    <>
      <div className={styles.invitation}>
        <p>{t('sign-up.invitation.by', { organisation: invitation.organisation })}</p>
        <EntryLink to="/signUp">{t('sign-up.invitation.without')}</EntryLink>
      </div>
      {form}
    </>
  );
}

function ByLink({ code }: { code: string }) {
  const query = useQuery(read(signUpInvitation, { code }));
  if (query.data) return <InvitedForm code={code} {...query.data} />;
  return (
    <ReadState query={query}>
      <Skeleton height="24rem" />
    </ReadState>
  );
}

/** The language that a link names is shown once, and counts as chosen: the account remembers it. */
function useLanguageOfLink(wanted: string): void {
  useEffect(() => {
    if (!isLanguage(wanted) || wanted === globalState.get().language) return;
    noteLanguageChoice();
    void showLanguage(wanted);
  }, [wanted]);
}

function Fields() {
  const { code = '', lang = '' } = parseQuery(usePlace().search);
  useLanguageOfLink(lang);
  // A form begins with what its link says: with another link it is another form.
  return code === '' ? <SignUpForm /> : <ByLink key={code} code={code} />;
}

export function SignUpScreen() {
  const { t } = useTranslation();
  return (
    <EntryForm title={t('sign-up.title')}>
      <Fields />
      <EntryLinks>
        <EntryLink to="/login">{t('sign-up.toLogin')}</EntryLink>
      </EntryLinks>
    </EntryForm>
  );
}
