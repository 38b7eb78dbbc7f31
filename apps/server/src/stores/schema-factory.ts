import type { DeviceKind } from '@sonnenwarte/device-protocol/points/points';
import type { Generated } from 'kysely';

export interface FactoryTables {
  manufacturers: {
    id: Generated<string>;
    name: string;
    country: Generated<string>;
    contact: Generated<string>;
    note: Generated<string>;
    created_at: Generated<Date>;
  };
  device_batches: {
    id: Generated<string>;
    manufacturer_id: string;
    number: string;
    kind: DeviceKind | 'logger';
    model: string;
    firmware: Generated<string>;
    /** Days, as `YYYY-MM-DD`. */
    made_on: string | null;
    delivered_on: string | null;
    note: Generated<string>;
    created_at: Generated<Date>;
  };
  delivered_units: {
    sn: string;
    odm_sn: Generated<string>;
    batch_id: string;
    model: string;
    firmware: Generated<string>;
    delivered_on: string | null;
    /** The first day of its warranty where an administrator has said it. */
    warranty_set_on: Generated<string | null>;
  };
}
