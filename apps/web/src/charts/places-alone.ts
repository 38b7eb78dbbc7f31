/** Places of samples with a gap on either side, which no line would show. */
export function placesAlone(values: ArrayLike<number | null | undefined>): readonly number[] {
  const list = values as readonly (number | null | undefined)[];
  const found: number[] = [];
  for (let from = 0; from < list.length; ) {
    const gap = list.indexOf(null, from);
    const end = gap < 0 ? list.length : gap;
    const first = firstTold(list, from, end);
    if (first < end && firstTold(list, first + 1, end) === end) found.push(first);
    from = end + 1;
  }
  return found;
}

function firstTold(list: readonly (number | null | undefined)[], from: number, end: number): number {
  let at = from;
  while (at < end && list[at] === undefined) at += 1;
  return Math.min(at, end);
}
