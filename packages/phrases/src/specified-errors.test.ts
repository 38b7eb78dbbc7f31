import { expect, test } from 'vitest';
import { textsOf } from './check.ts';

/** Errors of the server in sections 5 and 8 of the specification. */
const specified = {
  41814: 'Please change your password!',
  42200: 'You have deleted the site too frequently. Are you sure you want to continue deleting it?',
  42201: 'SN already existed',
  42202: 'File size exceeds 30MB',
  42203: 'Invalid SN',
  42204: 'The SN already exists',
  42205: 'There are two identical sn',
};

test.each(Object.entries(specified))('error %s is said in English to the word: %s', (number, text) => {
  expect(textsOf('errors', 'en')?.get(number)).toBe(text);
});
