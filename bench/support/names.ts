/** Names by which the benchmarks' rows and the load generator agree. */

export const FIRST_SN = 900_000_000_000_000;
export const LOGGER_PASSWORD = 'bench-logger-password';

export const loggerSn = (index: number): string => String(FIRST_SN + index);

export const deviceSn = (logger: number, device: number): string => `BE${String(logger).padStart(7, '0')}-${device}`;
