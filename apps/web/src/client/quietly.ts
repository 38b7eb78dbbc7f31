let quiet = 0;

/** Whether code is being fetched that nobody waits for. */
export const isQuiet = (): boolean => quiet > 0;

/** Fetches code that nobody waits for: says whether it came, and nothing where it did not. */
export async function fetchQuietly(load: () => Promise<unknown>): Promise<boolean> {
  quiet += 1;
  try {
    await load();
    return true;
  } catch {
    return false;
  } finally {
    quiet -= 1;
  }
}
