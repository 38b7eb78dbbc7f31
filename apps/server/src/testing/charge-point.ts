import { once } from 'node:events';
import WebSocket from 'ws';

type Answer = Record<string, unknown>;
interface Call {
  readonly method: string;
  readonly params: Answer;
}

/** A charge point written against the standard alone, over a plain WebSocket. */
export class RawChargePoint {
  readonly #socket: WebSocket;
  readonly #pending = new Map<string, (answer: unknown[]) => void>();
  readonly #calls: Call[] = [];
  #waiting: { method: string; take: (call: Call) => void }[] = [];
  /** What it answers to calls; `Accepted` to all others. */
  readonly answers = new Map<string, Answer>();
  /** Calls that it does not answer. */
  readonly silent = new Set<string>();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#take(JSON.parse(String(data)) as unknown[]));
    socket.on('error', () => undefined);
  }

  static async connect(
    address: string,
    {
      user,
      password,
      protocols = ['ocpp1.6'],
      headers: others = {},
    }: { user: string; password?: string; protocols?: string[]; headers?: Record<string, string> },
  ): Promise<RawChargePoint> {
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const headers = password === undefined ? others : { ...others, authorization };
    const socket = new WebSocket(address, protocols, { headers });
    const point = new RawChargePoint(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_, response) => {
        socket.terminate();
        reject(new Error(`answered ${response.statusCode}`));
      });
      socket.once('error', reject);
    });
    return point;
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  /** The answer to a call; a refusal rejects with its code. */
  async call(method: string, params: Answer): Promise<Answer> {
    const [type, , ...rest] = await this.#answered(method, params);
    if (type === 4) throw new Error(String(rest[0]));
    return rest[0] as Answer;
  }

  /** The refusal of a call: its code, its text and its details. */
  async refusal(method: string, params: Answer): Promise<unknown[]> {
    const [type, , ...rest] = await this.#answered(method, params);
    if (type !== 4) throw new Error('the call is not refused');
    return rest;
  }

  #answered(method: string, params: Answer): Promise<unknown[]> {
    this.#sent += 1;
    const id = `m${this.#sent}`;
    const answered = new Promise<unknown[]>((resolve) => this.#pending.set(id, resolve));
    this.#socket.send(JSON.stringify([2, id, method, params]));
    return answered;
  }

  /** Sends without waiting, as it stands. */
  send(text: string): void {
    this.#socket.send(text);
  }

  /** The next call of a method that comes, or has come and was not looked at. */
  async next(method: string, fits: (params: Answer) => boolean = () => true): Promise<Answer> {
    for (;;) {
      const place = this.#calls.findIndex((call) => call.method === method);
      const call =
        place >= 0
          ? this.#calls.splice(place, 1)[0]
          : await new Promise<Call>((take) => this.#waiting.push({ method, take }));
      if (call !== undefined && fits(call.params)) return call.params;
    }
  }

  /** Ends as when its cable is cut: without a word. */
  cut(): void {
    this.#socket.terminate();
  }

  async closed(): Promise<void> {
    if (this.#socket.readyState !== WebSocket.CLOSED) await once(this.#socket, 'close');
  }

  #take(message: unknown[]): void {
    const [type, id, method, params] = message;
    if (type !== 2) {
      this.#pending.get(String(id))?.(message);
      this.#pending.delete(String(id));
      return;
    }
    const answer = this.answers.get(String(method)) ?? { status: 'Accepted' };
    if (!this.silent.has(String(method))) this.#socket.send(JSON.stringify([3, id, answer]));
    const call = { method: String(method), params: params as Answer };
    const waiting = this.#waiting.find((each) => each.method === call.method);
    this.#waiting = this.#waiting.filter((each) => each !== waiting);
    if (waiting === undefined) this.#calls.push(call);
    else waiting.take(call);
  }
}
