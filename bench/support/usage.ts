import { readFileSync } from 'node:fs';
import { processOf, treeOf } from '../../e2e/support/processes.ts';

export type Role = 'server' | 'engine' | 'postgres' | 'client';

/** Of one kind of process over a span: mean use of processors in cores, highest memory in MiB. */
export interface Usage {
  cores: number;
  peakMiB: number;
}

const TICKS_PER_S = 100;
const EVERY_MS = 2_000;
const roles: readonly Role[] = ['server', 'engine', 'postgres', 'client'];

function cpuSeconds(pid: number, withEnded: boolean): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    return (user + system + (withEnded ? endedUser + endedSystem : 0)) / TICKS_PER_S;
  } catch {
    return 0;
  }
}

/** Proportional share where pages are shared (PostgreSQL), resident set else; MiB. */
export function memoryMiB(pid: number, isShared: boolean): number {
  const [file, pattern] = isShared ? ['smaps_rollup', /^Pss:\s+(\d+)/m] : ['status', /^VmRSS:\s+(\d+)/m];
  try {
    return Number((pattern as RegExp).exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return isShared ? memoryMiB(pid, false) : 0;
  }
}

function pidsOf(role: Role, serverPid: number, clients: readonly number[]): number[] {
  if (role === 'server') return [serverPid];
  if (role === 'client') return [...clients];
  const root = processOf(role === 'engine' ? 'telemetry' : 'postgres', serverPid)?.pid;
  if (root === undefined) return [];
  return role === 'engine' ? [root] : treeOf(root).map(({ pid }) => pid);
}

export interface UsageWatch {
  end(): Record<Role, Usage>;
}

/** Watches the processes of a portal and its clients until `end`. */
export function watchUsage(serverPid: number, clients: readonly number[]): UsageWatch {
  const startedMs = performance.now();
  const before = new Map<number, number>();
  const last = new Map<Role, Map<number, number>>(roles.map((role) => [role, new Map()]));
  const peaks = new Map<Role, number>();
  const look = () => {
    for (const role of roles) {
      let memory = 0;
      for (const [index, pid] of pidsOf(role, serverPid, clients).entries()) {
        const seconds = cpuSeconds(pid, role === 'postgres' && index === 0);
        if (!before.has(pid)) before.set(pid, isFirst ? seconds : 0);
        last.get(role)?.set(pid, seconds);
        memory += memoryMiB(pid, role === 'postgres');
      }
      peaks.set(role, Math.max(peaks.get(role) ?? 0, memory));
    }
  };
  let isFirst = true;
  look();
  isFirst = false;
  const timer = setInterval(look, EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      look();
      const spanS = (performance.now() - startedMs) / 1000;
      const of = (role: Role): Usage => {
        let seconds = 0;
        for (const [pid, now] of last.get(role) ?? []) seconds += Math.max(0, now - (before.get(pid) ?? 0));
        return { cores: seconds / spanS, peakMiB: peaks.get(role) ?? 0 };
      };
      return { server: of('server'), engine: of('engine'), postgres: of('postgres'), client: of('client') };
    },
  };
}

export const coresText = (usage: Record<Role, Usage>): string =>
  `cores used: ${roles.map((role) => `${role} ${usage[role].cores.toFixed(2)}`).join(', ')}`;
