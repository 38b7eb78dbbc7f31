import { ConfigError } from '../config.ts';

/** An error of an external ClickHouse as what the person who starts the server can do about it; anything else as it was. */
export function telemetryError(error: unknown, url: string): unknown {
  const problem = error instanceof Error ? sentenceOf(error, new URL(url)) : undefined;
  return problem === undefined ? error : new ConfigError(problem);
}

function sentenceOf(error: Error, { host, username, pathname, searchParams }: URL): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException;
  const user = username === '' ? 'default' : decodeURIComponent(username);
  const database = searchParams.get('database') ?? (pathname.slice(1) || 'default');
  if (/CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(code)) {
    return `CLICKHOUSE_URL: the certificate of ${host} is not accepted (${code}). Name the file of its authority with NODE_EXTRA_CA_CERTS=….`;
  }
  if (/^(?:ERR_SSL|EPROTO)/.test(code)) {
    return `CLICKHOUSE_URL: ${host} speaks no TLS there (${code}). Say http://, or name the port of https.`;
  }
  switch (code) {
    case 'ECONNREFUSED':
      return `CLICKHOUSE_URL does not answer: nobody listens at ${host}. Start ClickHouse there, or name another host and port (8123 for http).`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `CLICKHOUSE_URL does not answer: the name of the host ${host} is not known.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `CLICKHOUSE_URL does not answer: ${host} cannot be reached (${code}).`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `CLICKHOUSE_URL does not answer: ${host} ends the connection at once. Is it the port of http (8123), or of https?`;
    case '192':
    case '193':
    case '194':
    case '516':
      return `CLICKHOUSE_URL: ${host} does not let the user "${user}" in: its name or password is wrong.`;
    case '81':
      return `CLICKHOUSE_URL: there is no database "${database}" at ${host}. Run there: CREATE DATABASE ${database}`;
    case '497':
      return `CLICKHOUSE_URL: the user "${user}" lacks a right at ${host}. Run there: GRANT SELECT, INSERT, ALTER, CREATE TABLE, DROP TABLE, TRUNCATE, OPTIMIZE ON ${database}.* TO ${user}`;
    case '164':
      return `CLICKHOUSE_URL: the user "${user}" may only read at ${host}. Take one that may write.`;
  }
  if (/Timeout error|aborted/i.test(error.message))
    return `CLICKHOUSE_URL does not answer: ${host} says nothing within 10 s.`;
  if (error.cause instanceof Error) return sentenceOf(error.cause, new URL(`http://${host}`));
  return undefined;
}
