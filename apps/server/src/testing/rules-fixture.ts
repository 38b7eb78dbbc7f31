import { alarmRuleEndpoints, type RuleTerms } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { messageEndpoints } from '@sonnenwarte/contract/messages/messages';
import { tellDue } from '../alarm-rules/tell.ts';
import { foldTold } from '../incidents/fold-told.ts';
import { PlantsFixture } from './plants-fixture.ts';
import { endAlarm, tellAlarm } from './told-alarms.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const NOW_MS = Date.UTC(2026, 5, 16, 11, 0);

/** Terms of a rule that tells faults after ten minutes in the inbox. */
export const plainTerms: RuleTerms = {
  name: 'Faults',
  levels: [3, 4],
  codes: [],
  organisationID: null,
  stationID: null,
  delayMinutes: 10,
  channels: ['inbox'],
  mode: 'atOnce',
  digestAt: '',
  quietFrom: '',
  quietTo: '',
  criticalAlways: true,
  tellsEnd: false,
  escalateMinutes: null,
  escalateTo: [],
  receivers: [],
};

/** Plants whose alarms are folded and told when tests say so. */
export class RulesFixture {
  readonly plants: PlantsFixture;

  private constructor(plants: PlantsFixture) {
    this.plants = plants;
  }

  static async start(): Promise<RulesFixture> {
    return new RulesFixture(await PlantsFixture.start((nowMs) => ({ nowMs, after: () => () => undefined })));
  }

  stop(): Promise<void> {
    return this.plants.stop();
  }

  /** An installer with a plant and one rule in place of the first. */
  async installerWith(change: Partial<RuleTerms> = {}) {
    const { plants } = this;
    plants.time.nowMs = NOW_MS;
    const organisation = await plants.addOrganisation('installer');
    const account = await plants.addAccount(organisation.id, 2);
    await plants.db.deleteFrom('alarm_rules').where('account_id', '=', account.id).execute();
    await plants.db.updateTable('accounts').set({ email_confirmed_at: null }).where('id', '=', account.id).execute();
    const token = plants.signInOf(account, organisation.path);
    const rule = await plants.read(alarmRuleEndpoints.add, { ...plainTerms, ...change }, token);
    const { id: siteId } = await plants.addSite(organisation.id, { name: 'Hof' });
    const logger = await plants.addDatalogger(siteId);
    const inverter = await plants.addDevice(siteId, logger.id);
    return { organisation, account, token, siteId, logger, inverter, ruleID: rule.ruleID };
  }

  tell(device: string, told: { code?: number; level?: number; sinceMs?: number; untilMs?: number | null } = {}) {
    return tellAlarm(this.plants, { device, sinceMs: this.plants.time.nowMs ?? NOW_MS, ...told });
  }

  end(id: string, untilMs: number) {
    return endAlarm(this.plants, id, untilMs);
  }

  /** The clock goes on to a time; what is told until then is folded and passed on. */
  async at(ms: number): Promise<void> {
    const { db, time } = this.plants;
    time.nowMs = ms;
    while ((await foldTold(db, ms)) > 0);
    while ((await tellDue(db, ms, { portal: 'http://localhost' })) > 0);
  }

  async inbox(token: string) {
    return (await this.plants.read(messageEndpoints.list, { pageSize: 50 }, token)).messages;
  }

  async delivered(token: string) {
    return (await this.plants.read(alarmRuleEndpoints.deliveries, { pageSize: 50 }, token)).deliveries;
  }

  async incidentsOf(token: string) {
    return (await this.plants.read(incidentEndpoints.list, { condition: { view: 'all' } }, token)).incidents;
  }

  /** How tellings to an account stand; of those that were dropped the reason. */
  async droppedFor(accountId: string) {
    const tellings = await this.plants.db
      .selectFrom('alarm_tellings')
      .select(['reason', 'state'])
      .where('account_id', '=', accountId)
      .execute();
    return tellings.map(({ state, reason }) => (state === 'dropped' ? reason : state));
  }
}
