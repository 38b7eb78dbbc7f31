import type { AuditLog } from '@sonnenwarte/contract/audit/audit';
import { lazyScreen } from '../lazy-screen.ts';
import type { Screens } from '../screens.ts';

const logScreen = (log: AuditLog) =>
  lazyScreen(async () => {
    const { AuditLogScreen } = await import('./audit-log-screen.tsx');
    return () => <AuditLogScreen log={log} />;
  });

export const screens: Screens = {
  'log-audit-account': logScreen('account'),
  'log-audit-operation': logScreen('operation'),
  'platform-log': logScreen('platform'),
};
