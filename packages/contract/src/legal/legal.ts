import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';

export const operator = endpoint({
  method: 'GET',
  path: '/c/v0/legal',
  feature: 'legal',
  summary: 'Who operates this installation; empty where its configuration does not say.',
  callers: 'public',
  input: z.object({}),
  result: z.object({ name: z.string(), contact: z.string() }),
});

export const legalEndpoints = { operator };
