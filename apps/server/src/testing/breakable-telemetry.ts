import type { TelemetryHandle } from '../stores/telemetry-engine.ts';

/** The real store, whose inserts into raw tables can be made to fail, and all of them to wait. */
export function breakable(telemetry: TelemetryHandle): TelemetryHandle & {
  failure: ((body: Buffer) => Error | undefined) | undefined;
  silence: Promise<void> | undefined;
} {
  return {
    ...telemetry,
    failure: undefined,
    silence: undefined,
    get pid() {
      return telemetry.pid;
    },
    async insertRowBinary(table, columns, body) {
      const error = table.startsWith('raw_') ? this.failure?.(body) : undefined;
      if (error !== undefined) throw error;
      await this.silence;
      await telemetry.insertRowBinary(table, columns, body);
    },
  };
}
