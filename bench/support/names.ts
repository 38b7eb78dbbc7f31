/** Names by which the benchmarks' rows and the load generator agree. */

export const FIRST_SN = 900_000_000_000_000;
export const DATALOGGER_PASSWORD = 'bench-logger-password';

export const dataloggerSn = (index: number): string => String(FIRST_SN + index);

export const deviceSn = (datalogger: number, device: number): string =>
  `BE${String(datalogger).padStart(7, '0')}-${device}`;
