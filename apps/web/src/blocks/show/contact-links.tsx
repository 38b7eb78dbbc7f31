import { IconMail, IconPhone } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './contact-links.module.css';

interface ContactLinksProps {
  name: string;
  phone: string;
  email: string;
}

/** Who can be asked: a call and a mail, as far as they are known. */
export function ContactLinks({ name, phone, email }: ContactLinksProps): ReactNode {
  if (phone === '' && email === '') return null;
  return (
    <address className={styles.contact}>
      {name !== '' && <span>{name}</span>}
      {phone !== '' && (
        <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
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
