import type { Catalogue } from '@sonnenwarte/phrases/catalogue';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Catalogue };
    returnNull: false;
  }
}
