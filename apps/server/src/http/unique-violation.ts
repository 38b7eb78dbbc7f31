import { CallError } from './call-error.ts';

const UNIQUE_VIOLATION = '23505';

/** Runs a change; where a unique index refuses it, the field that the index stands for is refused as taken. */
export async function orTaken<T>(fieldOfIndex: Readonly<Record<string, string>>, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown };
    const path = code === UNIQUE_VIOLATION ? fieldOfIndex[String(constraint)] : undefined;
    if (path === undefined) throw error;
    throw new CallError('refusedInput', { fields: [{ path, reason: 'taken', params: {} }] });
  }
}
