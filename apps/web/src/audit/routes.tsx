import type { AuditLog } from '@sonnenwarte/contract/audit/audit';
import type { RouteName } from '@sonnenwarte/contract/routes';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const logScreen = (log: AuditLog) =>
  lazy(async () => {
    const { AuditLogScreen } = await import('./audit-log-screen.tsx');
    return { default: () => <AuditLogScreen log={log} /> };
  });

export const screens: Partial<Record<RouteName, LazyExoticComponent<ComponentType>>> = {
  'log-audit-account': logScreen('account'),
  'log-audit-operation': logScreen('operation'),
  'platform-log': logScreen('platform'),
};
