import { setUp } from '@sonnenwarte/contract/accounts/accounts';
import { historyRaw } from '@sonnenwarte/contract/inverters/inverters';
import { devices, list } from '@sonnenwarte/contract/sites/sites';
import { encodePayload, type SparkplugMetric } from '@sonnenwarte/device-protocol/sparkplug-payload';
