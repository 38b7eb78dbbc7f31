import { series } from '@sonnenwarte/contract/analysis/analysis';

/** Under what views of the analysis are kept. */
export const VIEWS_LIST = series.path;
