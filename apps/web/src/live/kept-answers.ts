import { createStore, del, get, set } from 'idb-keyval';
import { heardBefore, isLost, line } from '../client/line.ts';
import { queryClient } from '../client/queries.ts';
import { readLoginInfo, tokenOf } from '../state/session.ts';
import { writeLocal } from '../state/storage.ts';
import { isView } from '../state/view-storage.ts';
import { brokenLine } from './line-state.ts';
import { liveData } from './live-state.ts';

/** Features whose answers are shown again where there is no network: what is asked for without one, and what a plant tells. */
const features: readonly string[] = ['accounts', 'permissions', 'fleet', 'sites', 'devices', 'errors'];
/** After an answer: those that come with it are kept with it. */
const SOON_MS = 500;
/** What the live stream tells meanwhile. */
const EVERY_MS = 60_000;
const LONGEST_MS = 30 * 86_400_000;
const MOST_ANSWERS = 80;

interface Answer {
  readonly key: readonly unknown[];
  readonly data: unknown;
  readonly atMs: number;
}

interface Kept {
  readonly username: string;
  readonly atMs: number;
  readonly answers: readonly Answer[];
  readonly live: ReturnType<typeof liveData.get>;
}

const place = createStore('sonnenwarte', 'answers');
const NAME = 'last';

/** Keeps in this browser what the account has just been shown. */
async function keep(): Promise<void> {
  const username = readLoginInfo()?.username;
  if (username === undefined || tokenOf() === '' || isView() || brokenLine.get().sinceMs !== null) return;
  const answers = queryClient
    .getQueryCache()
    .getAll()
    .filter(({ queryKey, state }) => features.includes(String(queryKey[0])) && state.data !== undefined)
    .toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .slice(0, MOST_ANSWERS)
    .map(({ queryKey, state }) => ({ key: queryKey, data: state.data, atMs: state.dataUpdatedAt }));
  if (answers.length === 0) return;
  writeLocal('kept', 'yes');
  await set(NAME, { username, atMs: Date.now(), answers, live: liveData.get() } satisfies Kept, place);
}

/** Shows what was kept, where nothing newer is known; whoever is signed in is shown only what was told to that account. */
async function restore(): Promise<void> {
  const kept = await get<Kept>(NAME, place);
  if (!kept || !isLost() || kept.username !== readLoginInfo()?.username || Date.now() - kept.atMs > LONGEST_MS) return;
  heardBefore(kept.atMs);
  const { sites, devices, fleet } = liveData.get();
  liveData.set({
    sites: { ...kept.live.sites, ...sites },
    devices: { ...kept.live.devices, ...devices },
    fleet: fleet ?? kept.live.fleet,
  });
  for (const { key, data, atMs } of kept.answers) {
    if (queryClient.getQueryData(key) === undefined) queryClient.setQueryData(key, data, { updatedAt: atMs });
    queryClient.getQueryCache().find({ queryKey: key })?.setOptions({ gcTime: Number.POSITIVE_INFINITY });
  }
}

const quietly = (work: () => Promise<void>) => () => void work().catch(() => undefined);
const keepQuietly = quietly(keep);
const restoreQuietly = quietly(restore);

/** Does something soon after a screen stands, when all that it has asked for is answered. Returns how to stop. */
function whenAnswered(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const lookSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (queryClient.isFetching() === 0) work();
    }, SOON_MS);
  };
  const stop = queryClient.getQueryCache().subscribe((event) => {
    const isAnswer = event.type === 'updated' && (event.action.type === 'success' || event.action.type === 'error');
    if (isAnswer || event.type === 'added') lookSoon();
  });
  lookSoon();
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Keeps from now on what is shown, and shows it again when the server cannot be reached. Returns how to stop. */
export function keepAnswers(): () => void {
  const stopLine = line.subscribe(() => isLost() && restoreQuietly());
  if (isLost()) restoreQuietly();
  const stopAnswers = whenAnswered(keepQuietly);
  const timer = setInterval(keepQuietly, EVERY_MS);
  const onHide = () => document.visibilityState === 'hidden' && keepQuietly();
  document.addEventListener('visibilitychange', onHide);
  return () => {
    stopLine();
    stopAnswers();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onHide);
  };
}

/** Takes away what was kept. */
export const forgetAnswers = (): Promise<void> => del(NAME, place).finally(() => writeLocal('kept', null));
