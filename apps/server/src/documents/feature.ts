import { documentEndpoints, MOST_COUNTED_DEVICES } from '@sonnenwarte/contract/documents/documents';
import { featureOf } from '../feature.ts';
import type { Uses } from '../services.ts';
import {
  addDocuments,
  dataloggerDocuments,
  deviceDocuments,
  documentFile,
  documentList,
  editDocument,
  removeDocument,
  takeBackDocument,
  takeDocument,
} from './documents.service.ts';
import { forgetUnlisted } from './documents.store.ts';

/** Manuals and other documents of devices. */
export const feature = featureOf(
  documentEndpoints,
  {
    list: documentList,
    exportList: {
      find: documentList,
      own: {
        language: ({ language }) => language,
        product: ({ product }) => product ?? '',
        models: ({ models }) => models.join(', '),
        bytes: ({ bytes }) => bytes,
        devices: ({ devices }) => (devices === MOST_COUNTED_DEVICES ? `${devices}+` : (devices ?? '')),
      },
    },
    deviceDocuments,
    dataloggerDocuments,
    file: documentFile,
    upload: takeDocument,
    takeBack: takeBackDocument,
    add: addDocuments,
    edit: editDocument,
    remove: removeDocument,
  },
  start,
);

const FORGET_AT = '35 4 * * *';
/** A file that is no document after a day was given up. */
const UNLISTED_FOR_MS = 86_400_000;

function start({ db, jobs, nowMs }: Uses<'db' | 'jobs' | 'nowMs'>): void {
  jobs.every('documents.forget', FORGET_AT, async () => {
    await forgetUnlisted(db, new Date(nowMs() - UNLISTED_FOR_MS));
  });
}
