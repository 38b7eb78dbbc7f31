/** Time and waiting; tests put their own in its place. */
export interface Schedule {
  now(): number;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The clock on the wall. */
export const realSchedule: Schedule = {
  now: () => Date.now(),
  wait(milliseconds, signal) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal.addEventListener('abort', done);
    });
  },
};

/** Waits, or until stopped. */
export async function pause(schedule: Schedule, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await schedule.wait(milliseconds, signal);
}

/** Gives the event loop back. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
