import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export interface ReceivedMail {
  from: string;
  to: string[];
  source: string;
}

/** A mail server that knows just enough; answers each mail with the next of `answers`, then with 250. */
export class SmallSmtpServer {
  readonly received: ReceivedMail[] = [];
  readonly #server: Server = createServer((socket) => this.#talk(socket));
  readonly answers: string[] = [];

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
  }

  #talk(socket: Socket): void {
    let envelope: ReceivedMail = { from: '', to: [], source: '' };
    let inData = false;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (inData && line !== '.') envelope.source += `${line.replace(/^\.\./, '.')}\r\n`;
        else if (inData) {
          inData = false;
          const answer = this.answers.shift() ?? '250 taken';
          if (answer.startsWith('250')) this.received.push(envelope);
          envelope = { from: '', to: [], source: '' };
          say(answer);
        } else if (/^(EHLO|HELO)/i.test(line)) say('250 small');
        else if (/^MAIL FROM:/i.test(line)) {
          envelope.from = /<(.*)>/.exec(line)?.[1] ?? '';
          say('250 ok');
        } else if (/^RCPT TO:/i.test(line)) {
          envelope.to.push(/<(.*)>/.exec(line)?.[1] ?? '');
          say('250 ok');
        } else if (/^DATA/i.test(line)) {
          inData = true;
          say('354 go on');
        } else if (/^QUIT/i.test(line)) {
          say('221 bye');
          socket.end();
        } else say('250 ok');
      }
    });
    say('220 small');
  }
}
