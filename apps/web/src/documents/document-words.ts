import type { DocumentProduct, DocumentRow } from '@sonnenwarte/contract/documents/documents';
import { languageNames } from '@sonnenwarte/phrases/languages';
import type { TFunction } from 'i18next';

/** What a document is about, by its name. */
export const productName = (product: DocumentProduct | null, t: TFunction): string =>
  product === null
    ? t('documents.allKinds')
    : product === 'datalogger'
      ? t('documents.datalogger')
      : t(`sites.kind.${product}`);

/** Type and language of a document. */
export const kindOf = ({ type, language }: DocumentRow, t: TFunction): string =>
  `${t(`documents.type.${type}`)} · ${languageNames[language]}`;
