/** What an edge node needs of MQTT; tests put another one in its place. */
export interface Transport {
  /** Resolves when the message is sent (QoS 0) or acknowledged (QoS 1); rejects when the connection is lost before. */
  publish(topic: string, payload: Uint8Array, qos: 0 | 1): Promise<void>;
  /** Ends the connection; an unclean end lets the broker send the will. */
  close(isClean: boolean): Promise<void>;
}

export interface TransportRequest {
  sn: string;
  will: { topic: string; payload: Uint8Array };
  subscriptions: string[];
  onMessage(topic: string, payload: Uint8Array): void;
  /** Called once, when an open connection ends for any reason. */
  onClose(): void;
}

/** Connects and subscribes; rejects where that fails. */
export type OpenTransport = (request: TransportRequest) => Promise<Transport>;
