import { analysisEndpoints } from '@sonnenwarte/contract/analysis/analysis';
import { featureOf } from '../feature.ts';
import { choicesOf, marksOf, seriesOf } from './analysis.service.ts';
import { seriesFile } from './analysis-file.ts';

/** Curves of any points of any devices side by side, and what happened to these devices. */
export const feature = featureOf(analysisEndpoints, {
  series: seriesOf,
  marks: marksOf,
  devicesToPlot: choicesOf,
  exportSeries: seriesFile,
});
