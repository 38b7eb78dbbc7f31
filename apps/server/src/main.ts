import { setFlagsFromString } from 'node:v8';
import { banner, progressLine } from './banner.ts';
import { endBrokenConnection } from './broker/connection-scope.ts';
import { type Config, ConfigError, readConfig, rememberDemo } from './config.ts';
import { openLog } from './log.ts';
import { type Server, startServer } from './server.ts';
import { checkHost, dataDirError } from './start-errors.ts';
import { stopAllChildren } from './supervision/child.ts';
import { AlreadyRunningError, type RunLock, takeRunLock } from './supervision/run-lock.ts';

/** Runs the server until it is told to stop. Exits with 1 and one clear line where it cannot start. */
export async function main(env: NodeJS.ProcessEnv): Promise<void> {
  const startedMs = performance.now();
  const config = readConfig(env);
  // On a machine with much memory the engine would let garbage grow to several times of what is in use.
  setFlagsFromString('--heap-growing-percent=50');
  await checkHost(config.host);
  const lock = claimFolder(config);
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop(signal).then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
  process.on('uncaughtException', (error) => {
    if (endBrokenConnection(error)) return;
    logger.fatal({ err: error }, 'unexpected error; stopping');
    stop('unexpected error').finally(() => process.exit(1));
  });
  try {
    server = await startServer({ config, logger, onDemoHistory: progress.show });
  } catch (error) {
    lock.release();
    logger.fatal({ reason: error instanceof ConfigError ? error.message : undefined }, 'cannot start');
    throw error;
  }
  lock.setAddress(server.url);
  process.stdout.write(banner({ config, server, logFile, startedInMs: performance.now() - startedMs }));
}

function claimFolder(config: Config): RunLock {
  try {
    const lock = takeRunLock(config.dataDir, `http://${config.host}:${config.port}`);
    rememberDemo(config);
    return lock;
  } catch (error) {
    throw dataDirError(error, config.dataDir);
  }
}

/** One line for the person at the terminal; the stack of what nobody foresaw goes with it. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof AlreadyRunningError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main(process.env).catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
