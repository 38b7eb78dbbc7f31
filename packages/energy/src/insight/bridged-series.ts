/** What tells every quarter of an hour was there in between: buckets of five minutes without a value between two that have one. */
export const MOST_BETWEEN = 3;

/**
 * A series of which short holes are filled in a straight line; longer ones, and what lies before the first and after the last that is known, stay NaN.
 *
 * @param most buckets in a row that are filled.
 */
export function bridgedSeries(values: Float64Array, most = MOST_BETWEEN): Float64Array {
  const result = values.slice();
  let last = -1;
  for (let at = 0; at < values.length; at += 1) {
    if (Number.isNaN(values[at])) continue;
    const from = values[last] ?? Number.NaN;
    const rise = ((values[at] as number) - from) / (at - last);
    if (last >= 0 && at - last <= most + 1)
      for (let between = last + 1; between < at; between += 1) result[between] = from + rise * (between - last);
    last = at;
  }
  return result;
}
