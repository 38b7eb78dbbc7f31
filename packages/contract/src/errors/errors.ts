import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';

export const errorMessages = endpoint({
  method: 'GET',
  path: '/c/v0/errors/message',
  feature: 'errors',
  summary: 'Texts of all error numbers by language.',
  callers: 'public',
  signed: false,
  input: z.object({}),
  result: z.object({ messages: z.record(z.string(), z.record(z.string(), z.string())) }),
});

export const errorEndpoints = { errorMessages };
