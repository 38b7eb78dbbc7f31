/** What a benchmark and the process of its load generator tell each other. */

export interface LoadOptions {
  host: string;
  port: number;
  /** Number of the first logger in the fleet. */
  firstDatalogger: number;
  dataloggers: number;
  devicesPerDatalogger: number;
  qos: 0 | 1;
  intervalS: number;
  /** Time of the first samples; 0: the time of the clock. */
  startMs: number;
  stepMs: number;
  /** Unacknowledged messages that a logger may have. */
  window: number;
}

export type LoadOrder =
  | { do: 'connect'; perSecond: number }
  | { do: 'push'; seconds: number }
  | { do: 'report'; seconds: number }
  | { do: 'storm'; dataloggers: number }
  | { do: 'end' };

export interface Latencies {
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

export interface LoadStats {
  connected: number;
  seconds: number;
  sent: number;
  acked: number;
  unacked: number;
  ackMs: Latencies;
  /** Time of the newest sample of any device. */
  newestMs: number;
  /** Acknowledged samples by device, in the order of the devices. */
  ackedByDevice: number[];
  /** Reports that were sent later than a tenth of the interval: then the generator itself is the limit. */
  late: number;
  firstError: string;
}
