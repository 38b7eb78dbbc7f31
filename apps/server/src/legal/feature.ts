import { legalEndpoints } from '@sonnenwarte/contract/legal/legal';
import type { Config } from '../config.ts';
import { type Api, serve } from '../http/serve.ts';

/** Who operates this installation. */
export function legalFeature(api: Api, config: Pick<Config, 'operatorName' | 'operatorContact'>): void {
  serve(api, legalEndpoints.operator, async () => ({ name: config.operatorName, contact: config.operatorContact }));
}
