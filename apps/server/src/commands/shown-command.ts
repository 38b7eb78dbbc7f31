import type { Command } from '@sonnenwarte/contract/commands/command';
import type { ShownRow } from './shown-commands.store.ts';

const msOf = (at: Date | null): number | null => at?.getTime() ?? null;

/** A command as screens show it. */
export const shownCommand = (row: ShownRow): Command => ({
  commandID: row.id,
  subjectID: row.device_id ?? row.logger_id,
  subjectSN: row.device_sn ?? row.logger_sn,
  kind: row.kind,
  content: row.content,
  source: row.source,
  orderedBy: row.ordered_by_name ?? '',
  state: row.state,
  code: row.code,
  message: row.message,
  before: row.before,
  readBack: row.read_back,
  tries: row.tries,
  createdMs: row.created_at.getTime(),
  expiresMs: row.expires_at.getTime(),
  sentMs: msOf(row.sent_at),
  acknowledgedMs: msOf(row.acknowledged_at),
  doneMs: msOf(row.done_at),
  waitsFor: row.state !== 'queued' ? null : row.is_behind ? 'turn' : 'device',
});
