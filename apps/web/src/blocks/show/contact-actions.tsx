import { IconMail, IconPhone } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ButtonLink } from './button.tsx';
import { type Contact, telephoneAddress } from './contact-links.tsx';

interface ContactActionsProps {
  contact: Pick<Contact, 'phone' | 'email'>;
  callLabel: string;
  mailLabel: string;
}

/** The next step is to ask somebody: a call where a phone is known, a mail beside it. Where there is no phone the mail is the step. */
export function ContactActions({ contact: { phone, email }, callLabel, mailLabel }: ContactActionsProps): ReactNode {
  return (
    <>
      {phone !== '' && (
        <ButtonLink look="filled" href={telephoneAddress(phone)} title={phone}>
          <IconPhone size={18} aria-hidden="true" />
          {callLabel}
        </ButtonLink>
      )}
      {email !== '' && (
        <ButtonLink look={phone === '' ? 'filled' : 'plain'} href={`mailto:${email}`} title={email}>
          <IconMail size={18} aria-hidden="true" />
          {mailLabel}
        </ButtonLink>
      )}
    </>
  );
}
