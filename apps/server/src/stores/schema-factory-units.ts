import type { WarrantyBegin } from '@sonnenwarte/contract/factory/warranty';
import type { DeviceKind } from '@sonnenwarte/device-protocol/points/points';
import type { Generated } from 'kysely';
import type { CreatedAt } from './schema-columns.ts';

export interface FactoryUnitTables {
  model_warranties: {
    id: Generated<string>;
    model: string;
    /** Null: of all kinds. */
    kind: DeviceKind | null;
    /** Null: of all manufacturers. */
    manufacturer_id: string | null;
    months: number;
    begins: WarrantyBegin;
    latest_months: number | null;
    note: Generated<string>;
    changed_at: CreatedAt;
  };
  unit_imports: {
    id: Generated<string>;
    batch_id: string;
    account_id: string;
    rows: Generated<number>;
    read_at: Date;
  };
  unit_import_rows: {
    import_id: string;
    line: number;
    sn: string;
    odm_sn: string;
    model: string;
    firmware: string;
    delivered_on: string | null;
    wrong: Generated<string>;
    verdict: Generated<string>;
    detail: Generated<string>;
  };
}
