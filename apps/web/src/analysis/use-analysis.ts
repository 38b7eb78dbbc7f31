import { marks, type PlottedDevice, series } from '@sonnenwarte/contract/analysis/analysis';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../client/queries.ts';
import { phraseCandidates } from '../devices/point-groups.ts';
import { usePointTexts } from '../devices/point-text.ts';
import { addDays, type CalendarDay, localDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { useNow } from '../live/use-now.ts';
import { type CurveName, daysOf, keyOf, type Plotted } from './address.ts';
import { type CurveData, daysOn, layingUpon, type Series, timesOf } from './curves.ts';
import { isWhole, type Window } from './lanes.ts';

const MINUTE_MS = 60_000;
/** How long a part stands still before its samples are asked for. */
const PAUSE_MS = 180;
const COLUMN_STEP = 200;
const NOTHING: ReadonlyMap<string, CurveData> = new Map();

/** A curve with its names, as the screen shows it. */
export interface ShownCurve extends CurveData {
  readonly key: string;
  readonly name: CurveName;
  readonly unit: string;
  readonly label: string;
  readonly device: PlottedDevice;
  /** Variables of the same meaning have the same. */
  readonly likeness: string;
  readonly samples: number;
  readonly isThinned: boolean;
}

export interface Analysis {
  readonly data: Series | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly isWaiting: boolean;
  /** All samples of the part that is looked at are still being read. */
  readonly isReading: boolean;
  readonly first: CalendarDay;
  readonly last: CalendarDay;
  readonly today: CalendarDay;
  readonly timeZone: string;
  /** Over the whole time. */
  readonly base: readonly ShownCurve[];
  /** As they are drawn: of the part that is looked at, where that tells more. */
  readonly shown: readonly ShownCurve[];
  /** What each is compared with, by its key. */
  readonly compared: ReadonlyMap<string, CurveData>;
  /** Serial number of the device that it is compared with, where it is another one. */
  readonly otherSN: string;
}

/** Columns of pixels to ask for: those of the window, in steps, so that little changes of its width ask for nothing new. */
const columnsNow = (): number =>
  Math.min(4_000, Math.ceil((innerWidth * Math.min(2, devicePixelRatio)) / COLUMN_STEP) * COLUMN_STEP);

function useStill<T>(value: T, key: string): T {
  const [still, setStill] = useState({ value, key });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value
  useEffect(() => {
    const timer = setTimeout(() => setStill({ value, key }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return still.value;
}

/** The curves of an answer with their names. */
export function shownCurves(data: Series, labelOf: (variable: string) => string): ShownCurve[] {
  const lists = timesOf(data);
  return data.series.flatMap((each): ShownCurve[] => {
    const device = data.devices.find(({ deviceID }) => deviceID === each.deviceID);
    const timesMs = lists[each.times];
    if (device === undefined || timesMs === undefined) return [];
    const name = { deviceID: each.deviceID, variable: each.variable };
    const { values, unit, samples, isThinned } = each;
    return [
      {
        key: keyOf(name),
        name,
        unit,
        label: labelOf(each.variable),
        device,
        likeness: phraseCandidates(each.variable).at(-1)?.key ?? each.variable,
        timesMs,
        values,
        samples,
        isThinned,
      },
    ];
  });
}

function useShown(data: Series | undefined): readonly ShownCurve[] {
  const texts = usePointTexts();
  const { i18n } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels follow the language
  return useMemo(() => (data === undefined ? [] : shownCurves(data, texts.label)), [data, i18n.language]);
}

/** Curves as calls name them. */
export const inputOf = (curves: readonly CurveName[]) => {
  const deviceIDs = [...new Set(curves.map(({ deviceID }) => deviceID))];
  return {
    deviceIDs,
    curves: curves.map(({ deviceID, variable }) => ({ of: deviceIDs.indexOf(deviceID), variable })),
  };
};

/** What is plotted, read: over the whole time, of the part that is looked at, and what it is compared with. */
export function useAnalysis(plotted: Plotted, part: Window | undefined): Analysis {
  const { curves, span, compared } = plotted;
  const [zone, setZone] = useState(localZone);
  const today = localDay(useNow(MINUTE_MS), zone);
  const last = plotted.day === undefined || plotted.day > today ? today : plotted.day;
  const days = daysOf[span];
  const first = addDays(last, 1 - days);
  const columns = columnsNow();
  const asked = { ...inputOf(curves), columns };
  const whole = useQuery({
    ...read(series, { ...asked, firstDay: first, lastDay: last }),
    enabled: curves.length > 0,
    refetchInterval: last === today ? MINUTE_MS : false,
    placeholderData: keepPreviousData,
  });
  const data = curves.length > 0 ? whole.data : undefined;
  const timeZone = data?.ianaTimezone ?? zone;
  useEffect(() => setZone(timeZone), [timeZone]);

  const all = data && { fromMs: data.startMs, toMs: data.endMs };
  const isPart = part !== undefined && all !== undefined && !isWhole(part, all);
  const wanted = useStill(isPart ? part : undefined, isPart ? `${part.fromMs} ${part.toMs}` : '');
  const isThinned = data?.series.some((each) => each.isThinned) ?? false;
  const detail = useQuery({
    ...read(series, { ...asked, firstDay: first, lastDay: last, ...wanted }),
    enabled: wanted !== undefined && isThinned,
    placeholderData: keepPreviousData,
  });
  const isDetailed =
    isPart &&
    isThinned &&
    detail.data !== undefined &&
    detail.data.fromMs <= part.fromMs &&
    detail.data.toMs >= part.toMs &&
    detail.data.startMs === data?.startMs &&
    whole.isPlaceholderData === false;

  const before = compared !== undefined && 'daysBefore' in compared ? compared.daysBefore : 0;
  const other = compared !== undefined && 'deviceID' in compared ? compared.deviceID : undefined;
  const comparedCurves = other === undefined ? curves : curves.map(({ variable }) => ({ deviceID: other, variable }));
  const against = useQuery({
    ...read(series, {
      ...inputOf(comparedCurves),
      columns,
      firstDay: addDays(first, -before),
      lastDay: addDays(last, -before),
      ...(wanted !== undefined &&
        isThinned &&
        before > 0 && {
          fromMs: daysOn(wanted.fromMs, -before, timeZone),
          toMs: daysOn(wanted.toMs, -before, timeZone),
        }),
    }),
    enabled: compared !== undefined && data !== undefined,
    placeholderData: keepPreviousData,
  });

  const base = useShown(data);
  const detailed = useShown(isDetailed ? detail.data : undefined);
  const told = useMemo(() => {
    const answer = against.data;
    if (compared === undefined || answer === undefined || data === undefined) return NOTHING;
    // What was compared with before may still be there while the other is read.
    const isOf = localDay(answer.startMs, answer.ianaTimezone) === addDays(first, -before);
    if (!isOf || (other !== undefined && answer.devices[0]?.deviceID !== other)) return NOTHING;
    const lists = timesOf(answer);
    const lay = layingUpon(before, answer.ianaTimezone, timeZone);
    return new Map(
      answer.series.flatMap((each) => {
        const of =
          other === undefined
            ? [{ deviceID: each.deviceID }]
            : curves.filter(({ variable }) => variable === each.variable);
        const timesMs = lists[each.times] ?? [];
        const laid = lay({ timesMs, values: each.values });
        return of.map(({ deviceID }) => [keyOf({ deviceID, variable: each.variable }), laid] as const);
      }),
    );
  }, [against.data, compared, data, first, before, other, timeZone, curves]);

  return {
    data,
    error: whole.error ?? against.error,
    retry: () => void (whole.error === null ? against : whole).refetch(),
    isWaiting: whole.isLoading,
    isReading: isPart && isThinned && !isDetailed,
    first,
    last,
    today,
    timeZone,
    base,
    shown: isDetailed ? detailed : base,
    compared: told,
    otherSN: other === undefined ? '' : (against.data?.devices[0]?.deviceSN ?? ''),
  };
}

/** What happened to the devices that are plotted. */
export function useMarks(curves: readonly CurveName[], first: CalendarDay, last: CalendarDay) {
  const { deviceIDs } = inputOf(curves);
  const { data } = useQuery({
    ...read(marks, { deviceIDs, firstDay: first, lastDay: last }),
    enabled: deviceIDs.length > 0,
    refetchInterval: MINUTE_MS,
    placeholderData: keepPreviousData,
  });
  return deviceIDs.length > 0 ? data : undefined;
}
