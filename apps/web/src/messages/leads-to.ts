import { LEVEL } from '@sonnenwarte/contract/levels';
import type { MessageRow } from '@sonnenwarte/contract/messages/messages';
import type { ScreenTarget } from '../blocks/show/screen-link.tsx';

/** The screen of what a message is about; none of an announcement, which says all itself. */
export function leadsTo({ kind, event, recordID }: MessageRow, access: number): ScreenTarget | undefined {
  const isIntegrator = access === LEVEL.integrator;
  switch (kind) {
    case 'alarm':
      if (event === 'test') return { to: 'alarm-rules' };
      return recordID === ''
        ? { to: isIntegrator ? 'integrator-alarm' : 'alarm' }
        : { to: 'alarm-detail', query: { id: recordID } };
    case 'workOrder':
      return { to: 'work-order-detail', query: { id: recordID } };
    case 'report':
      return { to: isIntegrator ? 'integrator-data-report' : 'data-report' };
    case 'announcement':
      return undefined;
  }
}
