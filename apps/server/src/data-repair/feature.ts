import { repairEndpoints } from '@sonnenwarte/contract/data-repair/data-repair';
import { featureOf } from '../feature.ts';
import { correctionsOfPlant, correctSpan, countersOf, previewOf, seriesOf, undoSpan } from './data-repair.service.ts';

/** Corrections by hand of what counters told. */
export const feature = featureOf(repairEndpoints, {
  counters: countersOf,
  series: seriesOf,
  preview: previewOf,
  correct: correctSpan,
  undo: undoSpan,
  corrections: correctionsOfPlant,
});
