import { expect, test } from 'vitest';
import { textsOf } from './check.ts';

/** Errors of the server in section 8 of the specification. */
const specified = {
  41814: 'Please change your password!',
  42200: 'You have deleted the site too frequently. Are you sure you want to continue deleting it?',
  42201: 'SN already existed',
  42202: 'File size exceeds 30MB',
};

test.each(Object.entries(specified))('error %s is said in English to the word: %s', (number, text) => {
  expect(textsOf('errors', 'en')?.get(number)).toBe(text);
});
