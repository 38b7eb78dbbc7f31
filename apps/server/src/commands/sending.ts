import type { Logger } from 'pino';
import { Turns } from '../turns.ts';
import type { OpenCommand } from './open-command.ts';
import { UnspeakableError, type Wire } from './wire.ts';

/** Sends what is to be sent now. What does not get through is noticed by its silence; of what can never be said, `unspeakable` hears. */
export async function sendAll(
  sends: ReadonlyMap<OpenCommand, 'command' | 'reading'>,
  wire: Wire,
  logger: Pick<Logger, 'warn'>,
  unspeakable: (command: OpenCommand, error: UnspeakableError) => void,
): Promise<void> {
  const turns = new Turns(1);
  for (const [command, what] of sends) {
    const entry = wire.entryOf(command);
    if (!wire.isThere(entry)) continue;
    try {
      await (what === 'command' ? wire.send(entry, command) : wire.askBack(entry, command));
    } catch (error) {
      if (error instanceof UnspeakableError) unspeakable(command, error);
      else logger.warn({ err: error, sn: command.loggerSn }, 'a command could not be sent');
    }
    if (turns.isOver) await turns.giveBack();
  }
}
