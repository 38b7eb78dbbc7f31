import { join, resolve } from 'node:path';
import { entriesOf, fileMember, folderMember, type Member } from './archive.ts';

/** Left out at the top of the data folder: what is copied in another way, and what belongs to the running processes. */
const LEFT_OUT = /^(postgres(\.new)?|telemetry|run|restoring|server\.log(\.\d+)?)$/;
/** Locks and process ids, wherever they lie, and drafts of files that were being written. */
const PASSING = /\.(lock|pid)(\..+)?$|\.json\.\d+$|\.partial$/;

/** Everything else in the data folder: keys, certificates, settings, the outbox, whatever was added since this was written. */
export class DataFiles {
  readonly #folder: string;
  readonly #taken = new Set<string>();
  /** Links and the like, which no backup can keep. */
  readonly passedOver = new Set<string>();

  constructor(dataDir: string) {
    this.#folder = resolve(dataDir);
  }

  get count(): number {
    return this.#taken.size;
  }

  /** What is there; when asked for again, what has been added since. */
  async *members(folder = ''): AsyncGenerator<Member> {
    for (const entry of await entriesOf(join(this.#folder, folder))) {
      const name = join(folder, entry.name);
      if ((folder === '' && LEFT_OUT.test(name)) || PASSING.test(name) || this.#taken.has(name)) continue;
      if (entry.isDirectory()) {
        yield folderMember(name);
        yield* this.members(name);
      } else if (entry.isFile()) {
        for await (const member of fileMember(join(this.#folder, name), name)) {
          this.#taken.add(name);
          yield member;
        }
      } else if (!entry.isSocket()) this.passedOver.add(name);
    }
  }
}
