export type Uplink = 'tls' | 'plain';

/** A message of a logger as the broker hands it over. */
export interface IncomingMessage {
  topic: string;
  payload: Buffer;
  /** Serial number of the logger that sent it; of an external broker the one that the topic names. */
  sn: string;
  /** Number of the connection; 0 where the broker does not tell. */
  connection: number;
  /** True for the will of a connection that broke. */
  isWill: boolean;
  /** By which door of the embedded broker it came. */
  uplink?: Uplink;
}

/** Called once; an error refuses the message, and the sender keeps what it holds. */
export type Acknowledge = (error?: Error | null) => void;

/** Stands for the acknowledgement of a message that needs none. */
export const noAcknowledge: Acknowledge = () => undefined;

/** What takes the messages of a source. */
export interface MessageSink {
  /**
   * `done` is called as soon as the message may be acknowledged; for messages that are not awaited it means nothing. `read` is
   * called when its turn has come: until then nothing more should be read of a sender that awaits no acknowledgement.
   */
  message(message: IncomingMessage, done: Acknowledge, read?: () => void): void;
  /** The newest connection of a logger has ended. */
  disconnected(sn: string, connection: number): void;
  /** A logger has begun to listen to a topic. */
  listens?(sn: string): void;
  /** False while nothing more can be taken in: connections are refused, so that loggers keep their data. */
  accepts(): boolean;
  /** True while storage is behind: senders of unacknowledged messages are then slowed down as well. */
  isBehind(): boolean;
}

/** Where the messages of loggers come from: the embedded broker, or an external one. */
export interface MessageSource {
  readonly kind: 'embedded' | 'external';
  /** TCP port of the embedded broker without TLS. */
  readonly port: number | undefined;
  /** Port of the embedded broker with TLS, and the SHA-256 of its certificate. */
  readonly tls: { port: number; fingerprint: string } | undefined;
  readonly state: () => 'up' | 'down';
  connected(): number;
  /** Connections of the embedded broker, those that are not authenticated yet, and bytes of what is not whole or must wait. */
  connections(): { open: number; unknown: number; heldBytes: number };
  /** Sends a message to loggers. Resolves when the broker has taken it. */
  publish(topic: string, payload: Buffer, options?: { qos?: 0 | 1; retain?: boolean }): Promise<void>;
  /** The number of the newest connection of a logger, 0 if it has none or the broker does not tell. */
  connectionOf(sn: string): number;
  /** Whether a logger is connected over TLS; false where the broker does not tell. */
  isSecure(sn: string): boolean;
  /** Whether a logger listens to a topic; true where the broker does not tell. */
  hears(sn: string, topic: string): boolean;
  /** Reads nothing more of a logger, or goes on. A broker of one's own has bounds of its own. */
  hold(sn: string, isHeld: boolean): void;
  disconnect(sn: string): void;
  stop(): Promise<void>;
}
