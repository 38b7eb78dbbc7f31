import { IconMail, IconPhone } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './contact-links.module.css';

export interface Contact {
  name: string;
  phone: string;
  email: string;
}

/** Where a telephone calls. */
export const telephoneAddress = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/g, '')}`;

/** Who can be asked: a call and a mail, as far as they are known. */
export function ContactLinks({ name, phone, email }: Contact): ReactNode {
  if (phone === '' && email === '') return null;
  return (
    <address className={styles.contact}>
      {name !== '' && <span>{name}</span>}
      {phone !== '' && (
        <a href={telephoneAddress(phone)}>
          <IconPhone size={16} aria-hidden="true" />
          {phone}
        </a>
      )}
      {email !== '' && (
        <a href={`mailto:${email}`}>
          <IconMail size={16} aria-hidden="true" />
          {email}
        </a>
      )}
    </address>
  );
}
