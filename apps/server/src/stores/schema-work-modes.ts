import type { TemplateContent } from '@sonnenwarte/contract/work-modes/plan';
import type { Generated } from 'kysely';
import type { CreatedAt, Json } from './schema-columns.ts';

/** Plans that are kept under a name. */
export interface WorkModeTables {
  work_mode_templates: {
    id: Generated<string>;
    organisation_id: string | null;
    account_id: string | null;
    name: string;
    content: Json<TemplateContent>;
    created_by: string | null;
    created_at: CreatedAt;
  };
}
