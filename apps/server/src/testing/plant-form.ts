import type { Input } from '@sonnenwarte/contract/endpoint';
import type { add } from '@sonnenwarte/contract/site-form/site-form';

/** What a plant's form sends when little is filled in. */
export const plantInput = {
  name: 'Haus am Hang',
  type: 2,
  country: 'DE',
  city: 'Bad Aibling',
  ianaTimezone: 'Europe/Berlin',
  currency: 'EUR',
  systemCapacity: 9.9,
} satisfies Partial<Input<typeof add>>;
