import { pino } from 'pino';
import { readConfig } from '../config.ts';
import { endLeftPostgres } from '../stores/postgres.ts';

/** What the supervisor runs once it has killed a server: its other children notice that they are alone, PostgreSQL does not. */
await endLeftPostgres(readConfig(process.env).dataDir, pino({ level: 'silent' }));
