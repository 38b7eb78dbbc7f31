import * as z from 'zod/mini';
import { email, password, username } from '../accounts/own-account.ts';
import { endpoint } from '../endpoint.ts';
import { country, line, phone } from '../fields.ts';
import { limits } from '../limits.ts';

/** Who may sign up; all other levels are made by somebody in charge. */
export const signUpRoles = ['endUser', 'installer'] as const;
export type SignUpRole = (typeof signUpRoles)[number];

export const signUp = endpoint({
  method: 'POST',
  path: '/c/v0/user/signUp',
  feature: 'sign-up',
  summary:
    'Make an account of an end user or an installer. It can sign in by its user name at once, by e-mail once that is confirmed.',
  callers: 'public',
  changes: [],
  input: z.object({
    role: z.enum(signUpRoles),
    user: username,
    password,
    email,
    phone: z._default(phone, ''),
    country,
    city: z._default(line(limits.siteName.max), ''),
    /** Name of an installer's business; its user name where it is left out. */
    company: z._default(line(limits.siteName.max), ''),
    /**
     * An installer's code binds an end user to it, an agent's an installer. That of a handover makes the plant the end user's own and binds
     * it to who looks after that.
     */
    code: z._default(line(24), ''),
    termsAccepted: z.literal(true),
  }),
  result: z.object({}),
});

export const signUpInvitation = endpoint({
  method: 'POST',
  path: '/c/v0/user/signUp/invitation',
  feature: 'sign-up',
  summary:
    'Whose code a sign-up link carries, as what one signs up by it, and which plant one takes over. Null for a code that nobody has any more.',
  callers: 'public',
  reads: true,
  input: z.object({ code: line(24) }),
  result: z.object({
    invitation: z.nullable(
      z.object({
        organisation: z.string(),
        role: z.enum(signUpRoles),
        /** Of a handover: what its sheet says too. */
        plant: z.nullable(
          z.object({ name: z.string(), country: z.string(), city: z.string(), systemCapacity: z.number() }),
        ),
      }),
    ),
    /** The code is that of a handover, and somebody has used it. */
    used: z.boolean(),
  }),
});

export const signUpEndpoints = { signUp, signUpInvitation };
