/** What one HTTP request of the ClickHouse client asks the embedded engine to do. */
export interface TelemetryRequest {
  query: string;
  database: string;
  /** Format of the answer, where the query itself names none. */
  format: string;
  parameters: ReadonlyMap<string, string>;
  settings: ReadonlyMap<string, string>;
  /** Names of the `{name:Type}` places in the query. */
  placeholders: readonly string[];
  writes: boolean;
  queryId: string | undefined;
  /** Set for an INSERT whose rows come as the body. */
  insert: { head: string; settings: string; format: string } | undefined;
}

export const DEFAULT_DATABASE = 'default';

const OF_THE_INTERFACE = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'session_timeout',
  'session_check',
  'role',
  'user',
  'password',
  'compress',
  'decompress',
  'enable_http_compression',
  'http_zlib_compression_level',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'wait_end_of_query',
  'buffer_size',
  'date_time_output_format_http',
]);

const INSERT_OF_BODY = /^\s*(INSERT\s+INTO\s+[\s\S]*?)(\s+SETTINGS\s[\s\S]*?)?\s+FORMAT\s+(\w+)\s*;?\s*$/i;
const FORMAT_AT_END = /\bFORMAT\s+(\w+)\s*;?\s*(?:SETTINGS\s[\s\S]*)?$/i;
const READS = /^\s*(?:--[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*(?:\(|SELECT|WITH|SHOW|DESCRIBE|DESC|EXPLAIN|EXISTS|CHECK)\b/i;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function planRequest(query: string, search: URLSearchParams): TelemetryRequest {
  const parameters = new Map<string, string>();
  const settings = new Map<string, string>();
  for (const [key, value] of search) {
    if (key.startsWith('param_') && NAME.test(key)) parameters.set(key.slice('param_'.length), value);
    else if (!OF_THE_INTERFACE.has(key) && NAME.test(key)) settings.set(key, value);
  }
  const insert = INSERT_OF_BODY.exec(query);
  return {
    query,
    database: search.get('database') ?? DEFAULT_DATABASE,
    format: FORMAT_AT_END.exec(query)?.[1] ?? search.get('default_format') ?? 'TabSeparated',
    parameters,
    settings,
    placeholders: [...query.matchAll(/\{\s*([A-Za-z_]\w*)\s*:/g)].map((match) => match[1] ?? ''),
    writes: !READS.test(query),
    queryId: search.get('query_id') ?? undefined,
    insert: insert === null ? undefined : { head: insert[1] ?? '', settings: insert[2] ?? '', format: insert[3] ?? '' },
  };
}

export function quoteName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

/** A string literal of ClickHouse's SQL. */
export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
