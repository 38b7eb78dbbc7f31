import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { banner, progressLine } from './banner.ts';
import { endBrokenConnection } from './broker/connection-scope.ts';
import { type Config, ConfigError, readConfig, rememberDemo } from './config.ts';
import { openLog } from './log.ts';
import { type Server, startServer } from './server.ts';
import { checkAddress, dataDirError, makeFolder } from './start-errors.ts';
import { stopAllChildren } from './supervision/child.ts';
import { AlreadyRunningError, type RunLock, takeRunLock } from './supervision/run-lock.ts';

/** Longest time for an end in order; a store that is frozen would hold it up. */
const END_MS = 60_000;
/** How long a server whose supervisor was killed may take to end before a new start gives up. */
const ORPHAN_MS = 40_000;

/** What the process that supervises this one is told; without one nothing is. */
const tell = (
  word: { kind: 'ready' } | { kind: 'stopping' } | { kind: 'ending'; cause: string } | { kind: 'refused' },
): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(word, () => resolve());
  });

/** Runs the server until it is told to stop. Exits with 1 and one clear line where it cannot start. */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const startedMs = performance.now();
  const restartCause = env.SONNENWARTE_RESTART_CAUSE;
  delete env.SONNENWARTE_RESTART_CAUSE;
  const config = readConfig(env);
  // On a machine with much memory the engine would let garbage grow to several times of what is in use.
  setFlagsFromString('--heap-growing-percent=50');
  await checkAddress(config.host);
  const lock = await claimFolder(config);
  try {
    await checkAddress(config.host, config.port);
  } catch (error) {
    lock.release();
    throw error;
  }
  const toTerminal = process.stdout.isTTY === true;
  const { logger, file: logFile } = openLog(config);
  const progress = progressLine(process.stdout, toTerminal);
  let server: Server | undefined;
  let stopping: Promise<void> | undefined;
  const stop = (why: string): Promise<void> => {
    stopping ??= (async () => {
      progress.end();
      logger.info({ why }, 'stopping');
      await server?.stop();
      // Also what a start that was interrupted has left.
      await stopAllChildren();
      lock.release();
    })();
    return stopping;
  };
  const hurry = () => setTimeout(() => process.exit(1), END_MS).unref();
  const end = (why: string): void => {
    hurry();
    void tell({ kind: 'stopping' });
    stop(why).then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
  const alone = () => end('the supervisor has ended');
  if (process.send !== undefined && !process.connected) alone();
  else if (process.connected) process.on('disconnect', alone);
  // A rejection that nobody handles comes here as well.
  process.on('uncaughtException', (error, origin) => {
    if (endBrokenConnection(error)) return;
    logger.fatal({ err: error, origin }, 'unexpected error; stopping');
    process.stderr.write(`${explain(error)}\n`);
    hurry();
    void tell({ kind: 'ending', cause: causeOf(error, origin) });
    stop('unexpected error').finally(() => process.exit(1));
  });
  if (restartCause !== undefined) logger.error({ cause: restartCause }, 'started again after an unexpected end');
  try {
    server = await startServer({
      config,
      logger,
      onDemoHistory: progress.show,
      ...(restartCause !== undefined && { restartCause }),
    });
  } catch (error) {
    lock.release();
    logger.fatal({ reason: error instanceof ConfigError ? error.message : undefined }, 'cannot start');
    throw error;
  }
  lock.setAddress(server.url);
  process.stdout.write(banner({ config, server, logFile, startedInMs: performance.now() - startedMs }));
  await tell({ kind: 'ready' });
}

const causeOf = (error: unknown, origin: string): string =>
  `${origin}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`.slice(0, 200);

async function claimFolder(config: Config): Promise<RunLock> {
  try {
    makeFolder(config.dataDir);
    const lock = await takeLock(config);
    rememberDemo(config);
    return lock;
  } catch (error) {
    throw dataDirError(error, config.dataDir);
  }
}

/** Takes the data folder; a server that ends because its supervisor was killed is waited for. */
async function takeLock({ dataDir, host, port }: Config): Promise<RunLock> {
  const untilMs = Date.now() + ORPHAN_MS;
  for (;;) {
    try {
      return takeRunLock(dataDir, `http://${host}:${port}`);
    } catch (error) {
      if (!(error instanceof AlreadyRunningError) || !error.isOrphan || Date.now() > untilMs) throw error;
      await delay(100);
    }
  }
}

/** One line for the person at the terminal; the stack of what nobody foresaw goes with it. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof AlreadyRunningError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main(process.env).catch(async (error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  if (error instanceof ConfigError || error instanceof AlreadyRunningError) await tell({ kind: 'refused' });
  process.exit(1);
});
