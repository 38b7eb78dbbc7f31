import type { BurnInTables } from './schema-burn-in.ts';
import type { CommandTables } from './schema-commands.ts';
import type { DocumentTables } from './schema-documents.ts';
import type { FactoryTables } from './schema-factory.ts';
import type { FactoryUnitTables } from './schema-factory-units.ts';
import type { FaultRecordTables } from './schema-fault-records.ts';
import type { IncidentTables } from './schema-incidents.ts';
import type { MessageTables } from './schema-messages.ts';
import type { PeopleTables } from './schema-people.ts';
import type { PlantTables } from './schema-plants.ts';
import type { ReportTables } from './schema-reports.ts';
import type { SettingGroupTables } from './schema-settings.ts';
import type { WorkModeTables } from './schema-work-modes.ts';
import type { WorkOrderTables } from './schema-work-orders.ts';

/** The tables of PostgreSQL as the newest migration leaves them. */
export interface Database
  extends PeopleTables,
    PlantTables,
    CommandTables,
    SettingGroupTables,
    WorkModeTables,
    WorkOrderTables,
    MessageTables,
    BurnInTables,
    FactoryTables,
    FactoryUnitTables,
    FaultRecordTables,
    ReportTables,
    DocumentTables,
    IncidentTables {}
