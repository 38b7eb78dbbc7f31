import type { ProgressOutput } from './backup-command.ts';

const QUIET_MS = 5_000;
const IN_PLACE_MS = 200;

/** Lines to the terminal. Progress counts up in place there, and is a line every few seconds elsewhere. */
export function terminalOutput(): ProgressOutput {
  const inPlace = process.stdout.isTTY === true;
  let lastMs = performance.now();
  let isOpen = false;
  const close = () => {
    if (isOpen) process.stdout.write('\r\u001b[K');
    isOpen = false;
  };
  return {
    out(line) {
      close();
      process.stdout.write(`${line}\n`);
    },
    error(line) {
      close();
      process.stderr.write(`${line}\n`);
    },
    progress(text) {
      if (performance.now() - lastMs < (inPlace ? IN_PLACE_MS : QUIET_MS)) return;
      lastMs = performance.now();
      process.stdout.write(inPlace ? `\r\u001b[K${text}` : `${text}\n`);
      isOpen = inPlace;
    },
  };
}

/** Aborted when the person or the system asks this process to end. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
