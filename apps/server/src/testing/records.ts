import { randomUUID } from 'node:crypto';
import type { RecordKind } from '@sonnenwarte/contract/endpoint';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import { RecordPlaces, type Whose } from './record-places.ts';
import { burnInPlanRecord, burnInRunRecord } from './records-of-burn-in.ts';
import { brandRecord, documentRecord, uploadedDocumentRecord } from './records-of-documents.ts';
import {
  deliveredUnitRecord,
  deviceBatchRecord,
  manufacturerRecord,
  modelWarrantyRecord,
  unitImportRecord,
} from './records-of-factory.ts';
import { faultRecordRecord } from './records-of-faults.ts';
import { alarmRuleRecord, announcementRecord, messageRecord } from './records-of-messages.ts';
import { answerTemplateRecord, orderPictureRecord, unusedPictureRecord, workOrderRecord } from './records-of-orders.ts';
import {
  apiKeyRecord,
  channelRecord,
  deletionRecord,
  departmentRecord,
  migrationRecord,
  ownDeletionRecord,
  permissionGroupRecord,
  sessionRecord,
  viewRecord,
  workModeTemplateRecord,
} from './records-of-people.ts';
import {
  claimRecord,
  dataloggerRecord,
  groupRecord,
  incidentRecord,
  pileRecord,
  presetRecord,
  shareRecord,
} from './records-of-plants.ts';
import { reportRecord, reportScheduleRecord } from './records-of-reports.ts';

type Db = Kysely<Database>;

/** Makes records for the generated access test: fresh ones wherever a call could change or delete them. */
export class RecordMaker {
  readonly #at: RecordPlaces;

  private constructor(at: RecordPlaces) {
    this.#at = at;
  }

  static async open(db: Db): Promise<RecordMaker> {
    const { id } = await db
      .selectFrom('organisations')
      .select('id')
      .where('kind', '=', 'platform')
      .executeTakeFirstOrThrow();
    const sites = await db.selectFrom('sites').select('id').orderBy('key').execute();
    // Nobody's site is out of the platform's sight until it is deleted.
    await db
      .updateTable('sites')
      .set({ deleted_at: new Date() })
      .where('id', '=', sites.at(-1)?.id ?? '')
      .execute();
    return new RecordMaker(
      new RecordPlaces(
        db,
        id,
        sites.map((site) => site.id),
      ),
    );
  }

  /** Id (or serial number) of a record of the kind. */
  async make(kind: RecordKind, user: string, whose: Whose): Promise<string> {
    const at = this.#at;
    switch (kind) {
      case 'site':
        return at.site(user, whose);
      case 'device':
        return (await at.device(user, whose)).id;
      case 'deviceSn':
        return (await at.device(user, whose)).sn;
      case 'pile':
        return pileRecord(at, user, whose);
      case 'datalogger':
        return (await dataloggerRecord(at, user, whose)).sn;
      case 'dataloggerID':
        return (await dataloggerRecord(at, user, whose)).id;
      case 'organisation':
        return at.organisation(user, whose);
      case 'account':
        return at.account(await at.organisation(user, whose), { level: 1, deleted: at.hides(user, whose) });
      case 'integrator':
        return at.account(at.platform, { level: 10, deleted: whose === 'strangers' });
      case 'member':
        return at.account(await at.installer(), { level: 2, deleted: whose === 'strangers' });
      case 'department':
        return whose === 'own' ? departmentRecord(at) : randomUUID();
      case 'permissionGroup':
        return whose === 'own' ? permissionGroupRecord(at) : randomUUID();
      case 'session':
        return sessionRecord(at, user, whose);
      case 'apiKey':
        return apiKeyRecord(at, user, whose);
      case 'channel':
        return channelRecord(at, user, whose);
      case 'claim':
        return claimRecord(at, user, whose);
      case 'deletion':
        return deletionRecord(at, whose);
      case 'ownDeletion':
        return ownDeletionRecord(at, user, whose);
      case 'share':
        return shareRecord(at, user, whose);
      case 'view':
        return viewRecord(at, user, whose);
      case 'workModeTemplate':
        return workModeTemplateRecord(at, user, whose);
      case 'migration':
        return migrationRecord(at, whose);
      case 'preset':
        return presetRecord(at, user, whose);
      case 'group':
        return groupRecord(at, user, whose);
      case 'incident':
        return incidentRecord(at, user, whose);
      case 'report':
        return reportRecord(at, user, whose);
      case 'faultRecord':
        return faultRecordRecord(at, user, whose);
      case 'reportSchedule':
        return reportScheduleRecord(at, user, whose);
      case 'workOrder':
        return workOrderRecord(at, user, whose);
      case 'workOrderPicture':
        return orderPictureRecord(at, user, whose);
      case 'unusedPicture':
        return unusedPictureRecord(at, user, whose);
      case 'answerTemplate':
        return answerTemplateRecord(at, user, whose);
      case 'message':
        return messageRecord(at, user, whose);
      case 'alarmRule':
        return alarmRuleRecord(at, user, whose);
      case 'announcement':
        return whose === 'own' ? announcementRecord(at) : randomUUID();
      case 'document':
        return whose === 'own' ? documentRecord(at) : randomUUID();
      case 'uploadedDocument':
        return uploadedDocumentRecord(at, user, whose);
      case 'brand':
        return whose === 'own' ? brandRecord(at) : randomUUID();
      case 'manufacturer':
        return whose === 'own' ? manufacturerRecord(at) : randomUUID();
      case 'deviceBatch':
        return whose === 'own' ? deviceBatchRecord(at) : randomUUID();
      case 'deliveredUnit':
        return whose === 'own' ? deliveredUnitRecord(at) : randomUUID();
      case 'modelWarranty':
        return whose === 'own' ? modelWarrantyRecord(at) : randomUUID();
      case 'unitImport':
        return unitImportRecord(at, user, whose);
      case 'burnInPlan':
        return whose === 'own' ? burnInPlanRecord(at) : randomUUID();
      case 'burnInRun':
        return whose === 'own' ? burnInRunRecord(at) : randomUUID();
    }
  }
}
