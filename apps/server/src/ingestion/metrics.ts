import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface IngestionGauges {
  connectedDataloggers(): number;
  connections(): { open: number; unknown: number; heldBytes: number };
  queuedSamples(): number;
  queuedBytes(): number;
  isStoring(): boolean;
  lagMs(): number;
  heldDataloggers(): number;
  dirtyDays(): number;
  setAside(): number;
}

/** What Prometheus gets to know of ingestion and accounting. */
export class IngestionMetrics {
  readonly messages: Counter<'type'>;
  readonly samples: Counter<'kind'>;
  readonly duplicates: Counter;
  readonly rejected: Counter<'reason'>;
  readonly held: Counter<'reason'>;
  readonly claims: Counter;
  readonly flushSeconds: Histogram;
  readonly latestSeconds: Histogram;
  readonly accountingSeconds: Histogram;

  constructor(registry: Registry) {
    const registers = [registry];
    this.messages = new Counter({
      name: 'ingest_messages_total',
      help: 'Messages of loggers, by type.',
      labelNames: ['type'],
      registers,
    });
    this.samples = new Counter({
      name: 'ingest_samples_total',
      help: 'Samples stored, by kind of device.',
      labelNames: ['kind'],
      registers,
    });
    this.duplicates = new Counter({
      name: 'ingest_duplicates_total',
      help: 'Samples that said nothing new.',
      registers,
    });
    this.rejected = new Counter({
      name: 'ingest_rejected_total',
      help: 'Messages, metrics and connections refused, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.held = new Counter({
      name: 'ingest_held_total',
      help: 'Times that a logger was held back because it was beyond its budget, by what of it.',
      labelNames: ['reason'],
      registers,
    });
    this.claims = new Counter({
      name: 'ingest_claims_total',
      help: 'Serial numbers that a second logger began to claim.',
      registers,
    });
    this.flushSeconds = new Histogram({
      name: 'ingest_flush_seconds',
      help: 'Time to store one batch.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.latestSeconds = new Histogram({
      name: 'ingest_latest_seconds',
      help: 'Time to write the newest values of what changed and to tell the live streams.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.accountingSeconds = new Histogram({
      name: 'accounting_flush_seconds',
      help: 'Time to write the rollups of what changed.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
  }

  watch(registry: Registry, gauges: IngestionGauges): void {
    const gauge = (name: string, help: string, read: () => number) =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    gauge('ingest_connected_loggers', 'Loggers connected to the broker.', gauges.connectedDataloggers);
    gauge('ingest_held_loggers', 'Loggers of which plant and devices are held in memory.', gauges.heldDataloggers);
    gauge('broker_connections', 'Connections to the broker.', () => gauges.connections().open);
    gauge(
      'broker_unknown_connections',
      'Connections to the broker that are not authenticated yet.',
      () => gauges.connections().unknown,
    );
    gauge(
      'broker_held_bytes',
      'Memory of packets that are not whole yet, or wait until their sender is authenticated.',
      () => gauges.connections().heldBytes,
    );
    gauge('ingest_queued_samples', 'Samples that wait for storage.', gauges.queuedSamples);
    gauge('ingest_queued_bytes', 'Memory of the samples that wait for storage.', gauges.queuedBytes);
    gauge('ingest_storing', '1 while samples are stored, 0 while the store refuses them.', () =>
      Number(gauges.isStoring()),
    );
    gauge('ingest_lag_seconds', 'Age of the oldest sample that waits for storage.', () => gauges.lagMs() / 1000);
    gauge('accounting_backlog_days', 'Device days that wait to be accounted anew.', gauges.dirtyDays);
    gauge(
      'accounting_set_aside',
      'Plants and devices whose figures could not be written; they are tried again after growing pauses.',
      gauges.setAside,
    );
  }
}
