import { add, type DocumentRow, edit, file, remove } from '@sonnenwarte/contract/documents/documents';
import { IconBook, IconPencil, IconTrash, IconUpload } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const uploading = actionsOf<undefined>();

export const documentAdding = uploading.table(
  'documents',
  { nameOf: () => '' },
  {
    add: uploading.opens(add, async () => (await import('./document-add-form.tsx')).DocumentAddForm, {
      icon: IconUpload,
    }),
  },
);

const { opens, asks, table } = actionsOf<DocumentRow>();

/** What can be done with a document; a click on its row opens it. */
export const documentActions = table(
  'documents',
  { nameOf: ({ name }) => name },
  {
    read: opens(file, async () => (await import('./document-viewer.tsx')).DocumentReader, { icon: IconBook }),
    edit: opens(edit, async () => (await import('./document-edit-form.tsx')).DocumentEditForm, { icon: IconPencil }),
    delete: asks(remove, ({ documentID }) => ({ documentID }), { icon: IconTrash, danger: true }),
  },
);
