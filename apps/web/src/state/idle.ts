/** What the screen at hand asks for comes first. */
const AFTER_MS = 3_000;
const SCREEN_MS = 500;

/** Whether the user asks for as little as possible to be fetched. */
export const savesData = (): boolean =>
  'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;

function nextIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 10_000 });
  else setTimeout(work, 200);
}

/** Does something once the first screen has had its time. Returns how to stop. */
export function afterFirstScreen(work: () => void): () => void {
  let stopped = false;
  const timer = setTimeout(() => nextIdle(() => stopped || work()), SCREEN_MS);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Does one thing after the other while the browser is idle, as long as they succeed. Returns how to stop. */
export function whileIdle(works: readonly (() => Promise<boolean>)[]): () => void {
  let left = [...works];
  const next = () => {
    const [work, ...others] = left;
    left = others;
    if (work) nextIdle(() => void work().then((done) => done && next()));
  };
  const timer = setTimeout(next, AFTER_MS);
  return () => {
    left = [];
    clearTimeout(timer);
  };
}
