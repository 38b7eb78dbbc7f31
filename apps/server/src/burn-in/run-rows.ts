import type { RunRow } from '@sonnenwarte/contract/burn-in/rows';
import type { StoredRun } from './runs.store.ts';

const msOf = (at: Date | null): number | null => at?.getTime() ?? null;

const progressOf = ({ state, started_at, ends_at, ended_at }: StoredRun, nowMs: number): number => {
  if (started_at === null || ends_at === null) return 0;
  if (state === 'finished') return 100;
  const whole = ends_at.getTime() - started_at.getTime();
  const passed = (ended_at?.getTime() ?? nowMs) - started_at.getTime();
  return Math.min(100, Math.max(0, Math.floor((passed / whole) * 100)));
};

/** A run as people see it. */
export const toRunRow = (run: StoredRun, nowMs: number): RunRow => ({
  runID: run.id,
  number: run.number,
  rack: run.rack,
  batch: run.batch,
  manufacturer: run.manufacturer,
  model: run.model,
  planName: run.plan_name,
  state: run.state,
  createdMs: run.created_at.getTime(),
  startedMs: run.ends_at === null ? null : msOf(run.started_at),
  endsMs: msOf(run.ends_at),
  endedMs: msOf(run.ended_at),
  abortReason: run.abort_reason,
  durationMinutes: run.duration_minutes,
  setsLoad: run.sets_load,
  units: run.units,
  open: run.open,
  passed: run.passed,
  failed: run.failed,
  limited: run.limited,
  progress: progressOf(run, nowMs),
  can: {
    start: run.state === 'planned',
    abort: run.state === 'running' || run.state === 'planned',
    remove: run.state === 'planned',
  },
});
