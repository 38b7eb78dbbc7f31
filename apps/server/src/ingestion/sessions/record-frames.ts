import { type RecordFrame, readRecordFrame } from '@sonnenwarte/device-protocol/fault-records/record-parts';
import type { MetricValue, SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { type MetricBindings, readValueOf } from './bindings.ts';

/** What a message says of fault records now; undefined where it says nothing. */
export function recordFrameOf(metrics: readonly SparkplugMetric[], bindings: MetricBindings): RecordFrame | undefined {
  const told: { name: string; value: MetricValue | null }[] = [];
  for (const metric of metrics) {
    if (metric.isHistorical === true) continue;
    const binding = bindings.find(metric);
    if (binding?.name.startsWith('FaultRecord/'))
      told.push({ name: binding.name, value: readValueOf(metric, binding) });
  }
  return readRecordFrame(told);
}
