import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../support/benchmark.ts';
import type { LoadOptions, LoadOrder, LoadStats } from './messages.ts';

const childFile = fileURLToPath(new URL('./child.ts', import.meta.url));

/** A load generator in a process of its own. */
export class Load {
  readonly options: LoadOptions;
  readonly #child: ChildProcess;
  readonly pid: number;

  constructor(bench: Bench, options: LoadOptions) {
    this.options = options;
    this.#child = fork(childFile, [JSON.stringify(options)], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    if (this.#child.pid === undefined) throw new Error('the load generator does not start');
    this.pid = this.#child.pid;
    bench.atEnd(() => this.#child.kill('SIGKILL'));
  }

  /** Gives an order and waits until it is done. */
  async order(order: LoadOrder): Promise<LoadStats> {
    const ended = once(this.#child, 'exit').then(([code]): never => {
      throw new Error(`the load generator ended with ${code}`);
    });
    ended.catch(() => undefined);
    const answered = once(this.#child, 'message').then(([stats]) => stats as LoadStats);
    this.#child.send(order);
    return Promise.race([answered, ended]);
  }
}

export function brokerAddress(mqttUrl: string): { host: string; port: number } {
  const { hostname, port } = new URL(mqttUrl);
  return { host: hostname, port: Number(port) };
}
