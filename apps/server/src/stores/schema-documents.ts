import type { DocumentProduct, DocumentType } from '@sonnenwarte/contract/documents/documents';
import type { Language } from '@sonnenwarte/contract/languages';
import type { Generated } from 'kysely';

export interface DocumentTables {
  documents: {
    id: Generated<string>;
    account_id: string | null;
    sent_at: Date;
    listed_at: Date | null;
    bytes: number;
    type: Generated<DocumentType>;
    name: Generated<string>;
    language: Generated<Language>;
    product: DocumentProduct | null;
    models: Generated<string[]>;
    video_link: Generated<string>;
  };
  document_parts: { document_id: string; place: number; content: Buffer };
  brand_logos: { hash: string; content: Buffer; width: number; height: number; sent_at: Date };
  brands: {
    id: Generated<string>;
    name: string;
    domain: string;
    organisation_id: string | null;
    colour: Generated<string>;
    logo: string | null;
    download_link: Generated<string>;
    app_link: Generated<string>;
    mail_address: Generated<string>;
    updated_at: Date;
  };
}
