import type { Feature } from '../endpoint.ts';

/**
 * Everything that the audit log names, by feature: `feature.verb`, told by the phrase `audit.action.<feature>.<verb>`.
 * What is not listed here cannot be recorded.
 */
export const auditActions = {
  accounts: [
    'setUp',
    'signIn',
    'signInRefused',
    'signOut',
    'requestPasswordReset',
    'resetPassword',
    'changePassword',
    'changeTemporaryPassword',
    'confirmEmail',
    'endSession',
    'endOtherSessions',
    'setLanguage',
  ],
  'sign-up': ['signUp'],
  'user-center': ['edit', 'setPreferences', 'enableMqtt', 'disableMqtt', 'renewMqttClient', 'cancel'],
  'api-keys': ['create', 'revoke'],
  notifications: ['addChannel', 'editChannel', 'removeChannel', 'testChannel'],
  organisations: ['add', 'edit', 'enable', 'disable', 'delete', 'move', 'renewSignUpCode'],
  'user-management': ['add', 'edit', 'enable', 'disable', 'delete', 'move', 'resetPassword'],
  deletions: ['undo', 'purge'],
  grants: ['add', 'remove'],
  departments: ['add', 'edit', 'delete', 'move'],
  'permission-groups': ['add', 'edit', 'delete'],
  members: ['add', 'edit', 'enable', 'disable', 'delete', 'resetPassword'],
  'view-as': ['begin', 'end'],
  'migrations-of-accounts': ['transfer', 'undo'],
  sites: ['add', 'edit', 'delete', 'share', 'unshare'],
  dataloggers: ['link', 'import', 'unbind', 'delete', 'refuse', 'adopt', 'renewPassword'],
  handover: ['make', 'prolong', 'withdraw', 'take'],
  'data-repair': ['correct', 'undo'],
  'device-history': ['clear'],
  chargers: ['add', 'edit', 'renewPassword', 'remove', 'setMode', 'start', 'stop'],
  insight: ['pause', 'resume'],
  incidents: ['acknowledge', 'close', 'mute', 'unmute', 'assign', 'comment'],
  'work-orders': [
    'create',
    'answer',
    'note',
    'begin',
    'assign',
    'handUp',
    'handDown',
    'wait',
    'solve',
    'close',
    'reopen',
    'rate',
    'addTemplate',
    'editTemplate',
    'removeTemplate',
  ],
  'alarm-rules': ['add', 'edit', 'enable', 'disable', 'delete', 'leave', 'test'],
  announcements: ['add', 'edit', 'delete'],
  documents: ['add', 'edit', 'delete'],
  brands: ['add', 'edit', 'delete'],
  factory: [
    'addManufacturer',
    'editManufacturer',
    'deleteManufacturer',
    'addBatch',
    'editBatch',
    'deleteBatch',
    'import',
    'deleteUnit',
    'setWarrantyBegin',
    'addWarranty',
    'editWarranty',
    'deleteWarranty',
  ],
  'burn-in': [
    'addPlan',
    'editPlan',
    'removePlan',
    'add',
    'start',
    'abort',
    'finish',
    'remove',
    'removeUnit',
    'settleLoad',
  ],
  'remote-settings': [
    'accept',
    'addPreset',
    'removePreset',
    'runGroup',
    'pauseGroup',
    'resumeGroup',
    'cancelGroup',
    'retryGroup',
    'revertGroup',
  ],
  ems: ['setGridLimit', 'releaseGridLimit'],
  'work-modes': ['write', 'writeCharge', 'addTemplate', 'removeTemplate', 'follow', 'unfollow'],
  commands: ['order', 'cancel', 'end'],
  'test-log': ['record', 'stop', 'delete'],
  'device-claims': ['keep', 'release', 'separate'],
  platform: ['start', 'stop', 'restart', 'restore', 'sealAudit', 'migrateDatabase', 'seedDemo', 'removeDemo', 'purge'],
} as const satisfies Partial<Record<Feature | 'grants' | 'platform', readonly string[]>>;

export type AuditFeature = keyof typeof auditActions;

/** `feature.verb`. */
export type AuditAction = {
  [F in AuditFeature]: `${F}.${(typeof auditActions)[F][number]}`;
}[AuditFeature];

export const auditActionNames = Object.entries(auditActions).flatMap(([feature, verbs]) =>
  verbs.map((verb) => `${feature}.${verb}`),
) as [AuditAction, ...AuditAction[]];
