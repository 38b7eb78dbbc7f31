// biome-ignore-all lint/performance/noBarrelFile: the list of the API's parts is imported whole, by the server and by tests

/**
 * Every feature with calls, once: its calls under its name, which is the name of its folder in each room, its OpenAPI tag and the cache scope of the
 * web app. The server binds what stands here, `apps/server/src/<name>/feature.ts` answers it.
 */
export { accountEndpoints as accounts } from './accounts/accounts.ts';
export { alarmRuleEndpoints as 'alarm-rules' } from './alarm-rules/alarm-rules.ts';
export { analysisEndpoints as analysis } from './analysis/analysis.ts';
export { announcementEndpoints as announcements } from './announcements/announcements.ts';
export { apiKeyEndpoints as 'api-keys' } from './api-keys/api-keys.ts';
export { auditEndpoints as audit } from './audit/audit.ts';
export { batteryEndpoints as batteries } from './batteries/batteries.ts';
export { brandEndpoints as brands } from './brands/brands.ts';
export { burnInEndpoints as 'burn-in' } from './burn-in/burn-in.ts';
export { chargerEndpoints as chargers } from './chargers/chargers.ts';
export { commandEndpoints as commands } from './commands/commands.ts';
export { repairEndpoints as 'data-repair' } from './data-repair/data-repair.ts';
export { dataloggerEndpoints as dataloggers } from './dataloggers/dataloggers.ts';
export { deletionEndpoints as deletions } from './deletions/deletions.ts';
export { departmentEndpoints as departments } from './departments/departments.ts';
export { deviceClaimEndpoints as 'device-claims' } from './device-claims/device-claims.ts';
export { deviceHistoryEndpoints as 'device-history' } from './device-history/device-history.ts';
export { deviceEndpoints as devices } from './devices/devices.ts';
export { documentEndpoints as documents } from './documents/documents.ts';
export { emsEndpoints as ems } from './ems/ems.ts';
export { errorEndpoints as errors } from './errors/errors.ts';
export { factoryEndpoints as factory } from './factory/factory.ts';
export { faultRecordEndpoints as 'fault-records' } from './fault-records/fault-records.ts';
export { fleetEndpoints as fleet } from './fleet/fleet.ts';
export { forecastEndpoints as forecast } from './forecast/forecast.ts';
export { handoverEndpoints as handover } from './handover/handover.ts';
export { incidentEndpoints as incidents } from './incidents/incidents.ts';
export { insightEndpoints as insight } from './insight/insight.ts';
export { installTrendEndpoints as 'install-trend' } from './install-trend/install-trend.ts';
export { kinkEndpoints as kinks } from './kinks/kinks.ts';
export { legalEndpoints as legal } from './legal/legal.ts';
export { liveEndpoints as live } from './live/live.ts';
export { mapEndpoints as map } from './map/countries.ts';
export { marketPriceEndpoints as 'market-prices' } from './market-prices/market-prices.ts';
export { memberEndpoints as members } from './members/members.ts';
export { messageEndpoints as messages } from './messages/messages.ts';
export { migrationEndpoints as 'migrations-of-accounts' } from './migrations-of-accounts/migrations-of-accounts.ts';
export { monthlyReportEndpoints as 'monthly-reports' } from './monthly-reports/monthly-reports.ts';
export { notificationEndpoints as notifications } from './notifications/notifications.ts';
export { openApiEndpoints as 'open-api' } from './open-api/open-api.ts';
export { organisationEndpoints as organisations } from './organisations/organisations.ts';
export { parallelSystemEndpoints as 'parallel-system' } from './parallel-system/parallel-system.ts';
export { permissionGroupEndpoints as 'permission-groups' } from './permission-groups/permission-groups.ts';
export { permissionEndpoints as permissions } from './permissions/permissions.ts';
export { remoteSettingEndpoints as 'remote-settings' } from './remote-settings/remote-setting-endpoints.ts';
export { reportEndpoints as reports } from './reports/reports.ts';
export { savedViewEndpoints as 'saved-views' } from './saved-views/saved-views.ts';
export { searchEndpoints as search } from './search/search.ts';
export { signUpEndpoints as 'sign-up' } from './sign-up/sign-up.ts';
export { siteDeletionEndpoints as 'site-deletions' } from './site-deletions/site-deletions.ts';
export { siteFormEndpoints as 'site-form' } from './site-form/site-form.ts';
export { siteShareEndpoints as 'site-shares' } from './site-shares/site-shares.ts';
export { siteEndpoints as sites } from './sites/site-endpoints.ts';
export { storyEndpoints as story } from './story/story.ts';
export { testLogEndpoints as 'test-log' } from './test-log/test-log.ts';
export { userCenterEndpoints as 'user-center' } from './user-center/user-center.ts';
export { userManagementEndpoints as 'user-management' } from './user-management/user-management.ts';
export { viewAsEndpoints as 'view-as' } from './view-as/view-as.ts';
export { workModeEndpoints as 'work-modes' } from './work-modes/work-modes.ts';
export { workOrderEndpoints as 'work-orders' } from './work-orders/work-orders.ts';
