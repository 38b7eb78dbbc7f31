import { signUpEndpoints } from '@sonnenwarte/contract/sign-up/sign-up';
import { featureOf } from '../feature.ts';
import { invitationOf, signUp } from './sign-up.service.ts';

/** Accounts that people make for themselves. */
export const feature = featureOf(signUpEndpoints, { signUp, signUpInvitation: invitationOf });
