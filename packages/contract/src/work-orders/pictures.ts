import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { Level } from '../levels.ts';
import { MOST_PICTURE_BYTES } from './work-order.ts';

const people = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

export const uploadPicture = endpoint({
  method: 'POST',
  path: '/ticket/v0/picture/upload',
  feature: 'work-orders',
  summary:
    'Takes a picture (JPEG, PNG or WebP, by its content) for an entry of a work order that is written within a day; it is made anew, without what its file told besides.',
  callers: people,
  changes: [],
  upload: { mostBytes: MOST_PICTURE_BYTES, tooLarge: 'pictureTooLarge' },
  input: z.object({}),
  result: z.object({ pictureID: z.string(), width: z.int(), height: z.int() }),
});

export const picture = endpoint({
  method: 'POST',
  path: '/ticket/v0/picture',
  feature: 'work-orders',
  summary: 'A picture of a work order that the caller may see, or one that the caller has sent.',
  callers: people,
  reads: true,
  file: true,
  ready: true,
  input: z.object({ id: z.uuid(), size: z._default(z.enum(['thumb', 'full']), 'full') }),
  result: z.null(),
  names: { id: 'workOrderPicture' },
});

export const removePicture = endpoint({
  method: 'POST',
  path: '/ticket/v0/picture/remove',
  feature: 'work-orders',
  summary: 'Takes back a picture that the caller has sent and that is in no entry yet.',
  callers: people,
  changes: ['work-orders'],
  input: z.object({ id: z.uuid() }),
  result: z.object({}),
  names: { id: 'unusedPicture' },
});

export const pictureEndpoints = { uploadPicture, picture, removePicture } as const;
