/** Business constants of the specification, sections 5, 7 and 9. */
export const REQUEST_TIMEOUT_MS = 25_000;
export const CHUNK_LOAD_TIMEOUT_MS = 120_000;
export const CHECKSUM_CHUNK_BYTES = 2 * 1024 * 1024;
export const DEFAULT_PAGE_SIZE = 10;
export const PAGE_SIZES = [10, 20, 50] as const;
export const PAGER_BUTTONS = 5;
export const TABLE_BASE_HEIGHT_PX = 415;
export const HEADER_HEIGHT_WITH_TABS_PX = 116;
export const HEADER_HEIGHT_PX = 86;
export const MIN_PERIOD_MINUTES = 30;
export const REPORT_RANGE_DAYS = 15;
export const REPORT_RANGE_DAYS_FINE = 3;
export const MAX_STRATEGY_PERIODS = 8;
export const MAX_UPLOAD_FILES = 30;
export const MAX_UPLOAD_BYTES = 30 * 1024 * 1024;
export const CLOCK_WINDOW_MS = 5 * 60_000;
export const SESSION_END_NOTICE_MS = 2_000;
export const API_NOT_FOUND_NOTICE_MS = 5_000;
export const WEEK_STARTS_ON = 1;

/** An inclusive range of a length or of a number. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export const limits = {
  username: { min: 4, max: 20 },
  password: { min: 6, max: 20 },
  siteName: { min: 1, max: 32 },
  shortName: { min: 1, max: 16 },
  memberAccount: { min: 4, max: 128 },
  socPercent: { min: 0, max: 100 },
  workModeSocPercent: { min: 10, max: 100 },
  workModePowerW: { min: 0, max: 6000 },
  azimuthDeg: { min: 0, max: 360 },
  inclinationDeg: { min: 0, max: 90 },
  port: { min: 1, max: 65535 },
  emsDeviceCount: { min: 1, max: 65535 },
  strategyRetry: { min: 1, max: 60 },
} as const satisfies Record<string, Range>;

export const DATALOGGER_SN_DIGITS = 15;
export const TEST_FIRMWARE_TAG_LENGTH = 8;
