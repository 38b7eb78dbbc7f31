import type { ReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What one run of a report has written. */
interface RunOf {
  readonly id: string;
  readonly run: number;
}

/** Rows of reports, packed, each by the run that wrote them, in a folder that nothing serves. */
export class ReportFiles {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'reports');
  }

  #of({ id, run }: RunOf): string {
    return join(this.#folder, `${id}.${run}.rows`);
  }

  /** Where a run writes; nothing is read from there. */
  async partOf({ id, run }: RunOf): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return join(this.#folder, `${id}.${run}.part`);
  }

  /** What a run has written becomes its file, whole or not at all. */
  async keep(part: string, of: RunOf): Promise<void> {
    const file = await open(part, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, this.#of(of));
  }

  /** Undefined where it is not there. */
  async read(of: RunOf): Promise<ReadStream | undefined> {
    try {
      const file = await open(this.#of(of), 'r');
      return file.createReadStream();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async remove(runs: Iterable<RunOf>): Promise<void> {
    for (const run of runs) {
      await rm(this.#of(run), { force: true });
      await rm(await this.partOf(run), { force: true });
    }
  }

  /** Whatever lies there, finished or not. */
  async lying(): Promise<RunOf[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names.flatMap((name) => {
      const [id, run, kind] = name.split('.');
      return id !== undefined && (kind === 'rows' || kind === 'part') ? [{ id, run: Number(run) }] : [];
    });
  }
}
