import type { CommandState } from '@sonnenwarte/contract/commands/command';
import type { RecordFailure } from '@sonnenwarte/contract/fault-records/fault-record';
import { ResultCode } from '@sonnenwarte/device-protocol/sparkplug/commands';

/** Why nothing came of a command that asked for records; undefined where that is not said, or something has. */
export function failureOf(state: CommandState, code: number | null): RecordFailure | undefined {
  switch (state) {
    case 'refused':
      return code === ResultCode.outOfRange ? 'gone' : 'refused';
    case 'differs':
      return 'refused';
    case 'timedOut':
      return 'silent';
    case 'expired':
    case 'cancelled':
      return 'away';
    default:
      return undefined;
  }
}
