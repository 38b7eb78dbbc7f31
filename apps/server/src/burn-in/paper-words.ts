import {
  askedSteps,
  decimalsOf,
  type FailReason,
  type JudgedLimit,
  judgedLimits,
  type LoadStep,
  unitOf,
} from '@sonnenwarte/contract/burn-in/plan';
import type { Verdict } from '@sonnenwarte/contract/burn-in/rows';
import type { Language } from '@sonnenwarte/contract/languages';
import { alarmName } from '../exports/alarm-name.ts';
import { type PhraseKey, phraseText } from '../exports/phrase-text.ts';
import { Formats, NOT_KNOWN } from '../papers/formats.ts';
import type { Paper, PaperCell, PaperCurve, PaperTable } from './paper.ts';
import type { UnitResult } from './results.service.ts';
import type { StoredUnit } from './results.store.ts';
import type { StoredRun } from './runs.store.ts';

const ZONE = 'UTC';

interface Words {
  readonly say: (key: PhraseKey, values?: Record<string, string | number>) => string;
  readonly format: Formats;
  readonly language: Language;
}

const wordsIn = (language: Language): Words => ({
  say: (key, values) => phraseText(key, language, values),
  format: new Formats(language, ZONE),
  language,
});

/** A value of a limit with its unit; beside another with as many decimals as show that they differ. */
function amountOf(
  limit: JudgedLimit,
  value: number | null,
  { format }: Words,
  decimals = value === null ? 0 : decimalsOf(limit, value, null),
): string {
  if (value === null) return NOT_KNOWN;
  return `${format.number(value, decimals)} ${unitOf[limit]}`.trim();
}

const reasonOf = (reason: FailReason | null, value: number | null, words: Words): string => {
  if (reason === null) return '';
  const name = words.say(`burn-in.reason.${reason}`);
  if (reason === 'failLevel' && value !== null) return `${name} ${value} ${alarmName(value, words.language)}`;
  const limit = judgedLimits.find((each) => each === reason);
  return limit === undefined || value === null ? name : `${name} (${amountOf(limit, value, words)})`;
};

const MOST_DECIMALS = [0, 1] as const;

const profileOf = (steps: readonly LoadStep[], { format }: Words): string =>
  steps
    .map(({ minutes, percent }) => {
      const decimals = MOST_DECIMALS.find((each) => Number(percent.toFixed(each)) === percent) ?? 2;
      return `${format.number(percent, decimals)}\u00a0% ${format.duration(minutes * 60_000)}`.replaceAll(
        ' ',
        '\u00a0',
      );
    })
    .join(' – ');

const momentOf = (at: Date | null, { format }: Words): string =>
  at === null ? NOT_KNOWN : format.fullMoment(at.getTime());

function verdictRow({ limit, allowed, measured, atMs, holds }: Verdict, words: Words): PaperCell[] {
  const { say, format, language } = words;
  const isAlarm = limit === 'failLevel';
  const decimals = decimalsOf(limit, allowed, measured);
  const result = holds === null ? 'open' : holds ? 'kept' : 'broken';
  const tone = ({ open: 'muted', kept: 'good', broken: 'bad' } as const)[result];
  const worst =
    isAlarm && measured !== null
      ? `${measured} ${alarmName(measured, language)}`
      : amountOf(limit, measured, words, decimals);
  return [
    { text: say(`burn-in.limit.${limit}`) },
    { text: isAlarm ? format.number(allowed) : amountOf(limit, allowed, words, decimals) },
    { text: worst, bold: true },
    { text: atMs === null ? NOT_KNOWN : format.moment(atMs) },
    { text: say(`burn-in-paper.${result}`), tone, bold: true },
  ];
}

/** Values above this share of what was asked most would leave the picture. */
const HEADROOM = 1.1;

function curveOf({ curve, span, unit }: UnitResult, words: Words): PaperCurve | null {
  const { timesMs, powerW, askedW } = curve;
  if (timesMs.length === 0) return null;
  const { say, format } = words;
  const most = Math.max(1, unit.rated_power_w ?? 0, ...powerW.map((value) => value ?? 0)) * HEADROOM;
  const length = Math.max(1, span.toMs - span.fromMs);
  const usual = length / Math.max(1, timesMs.length - 1);
  const lineOf = (values: readonly (number | null)[]) =>
    values.flatMap((value, at) => {
      const tsMs = timesMs[at] ?? 0;
      const isGap = at > 0 && tsMs - (timesMs[at - 1] ?? 0) > 4 * usual;
      const point = value === null ? null : ([(tsMs - span.fromMs) / length, Math.max(0, value / most)] as const);
      return isGap ? [null, point] : [point];
    });
  const top = `${format.number(most / 1_000, 1)} kW`;
  return {
    title: say('burn-in-paper.curve'),
    alt: say('burn-in-paper.curveAlt', {
      most: `${format.number(Math.max(0, ...powerW.map((value) => value ?? 0)) / 1_000, 2)} kW`,
    }),
    tellsPower: say('burn-in-paper.power'),
    tellsAsked: say('burn-in-paper.asked'),
    power: lineOf(powerW),
    asked: lineOf(askedW),
    top,
    start: format.moment(span.fromMs),
    end: format.moment(span.toMs),
  };
}

/** What needs lines of its own: the load profile, and alarms that do not count. */
function notesOf({ steps, sets_load, limits }: StoredRun, words: Words): [string, string][] {
  const { say, language } = words;
  const codes = limits.failLevel === null ? [] : limits.allowedCodes;
  return [
    [say('burn-in-paper.profile'), profileOf(askedSteps(steps, sets_load), words)],
    ...(codes.length === 0
      ? []
      : [
          [
            say('burn-in.limit.allowedCodes'),
            codes.map((code) => `${code} ${alarmName(code, language)}`.trim()).join(', '),
          ] as [string, string],
        ]),
  ];
}

/** The certificate of a unit that has a verdict. */
export function certificateOf(result: UnitResult, language: Language, madeMs: number): Paper {
  const words = wordsIn(language);
  const { say, format } = words;
  const { run, unit, verdicts, coveragePercent } = result;
  const hasPassed = unit.state === 'passed';
  const title = say('burn-in-paper.certificate');
  const facts: [PhraseKey, string][] = [
    ['burn-in-paper.manufacturer', run.manufacturer],
    ['burn-in-paper.model', unit.model],
    ['burn-in-paper.sn', unit.sn],
    ['burn-in-paper.batch', run.batch],
    ['burn-in-paper.run', `#${run.number}`],
    ['burn-in-paper.rackOnly', run.rack],
    ['burn-in-paper.position', format.number(unit.position)],
    ['burn-in-paper.plan', run.plan_name],
    ['burn-in-paper.duration', format.duration(run.duration_minutes * 60_000)],
    ['burn-in-paper.rated', unit.rated_power_w === null ? '' : `${format.number(unit.rated_power_w / 1_000, 1)} kW`],
    ['burn-in-paper.time', `${momentOf(unit.started_at, words)} – ${momentOf(unit.ended_at, words)}`],
    ['burn-in-paper.coverage', coveragePercent === null ? '' : `${format.number(coveragePercent, 1)}\u00a0%`],
    ['burn-in-paper.attempt', unit.attempt === null ? '' : format.number(unit.attempt)],
  ];
  return {
    title: `${title} ${unit.sn}`,
    heading: `${title} · #${run.number}`,
    name: unit.sn,
    about: [run.manufacturer, unit.model, run.batch].filter((each) => each !== '').join(' · '),
    verdict: hasPassed
      ? { text: say('burn-in-paper.passed'), tone: 'good' }
      : { text: say('burn-in-paper.failed'), tone: 'bad' },
    sentence: hasPassed
      ? say('burn-in-paper.saysPassed')
      : say('burn-in-paper.saysFailed', { reason: reasonOf(unit.reason, unit.reason_value, words) }),
    facts: facts.map(([key, value]) => [say(key), value === '' ? NOT_KNOWN : value]),
    notes: notesOf(run, words),
    curve: curveOf(result, words),
    tables: [
      {
        title: say('burn-in-paper.limits'),
        head: (['limit', 'allowed', 'measured', 'when', 'result'] as const).map((key) => say(`burn-in-paper.${key}`)),
        rows:
          verdicts.length === 0
            ? [[{ text: say('burn-in-paper.none') }]]
            : verdicts.map((each) => verdictRow(each, words)),
        widths: [64, 104, 84, 74],
      },
    ],
    foot: say('burn-in-paper.foot'),
    made: say('burn-in-paper.made', { date: format.dayOf(madeMs) }),
  };
}

function resultRow(unit: StoredUnit, words: Words): PaperCell[] {
  const { say, format } = words;
  const tone = unit.state === 'passed' ? 'good' : unit.state === 'failed' ? 'bad' : 'muted';
  const figure = (value: number | null, sign: string) =>
    value === null ? NOT_KNOWN : `${format.number(value, 1)} ${sign}`;
  return [
    { text: unit.sn },
    { text: format.number(unit.position) },
    { text: say(`burn-in.unitState.${unit.state}`), tone, bold: true },
    { text: figure(unit.output, '%') },
    { text: figure(unit.efficiency, '%') },
    { text: figure(unit.temperature, '°C') },
    { text: reasonOf(unit.reason, unit.reason_value, words) },
  ];
}

/** The report of a run that is over. */
export function runPaperOf(run: StoredRun, units: readonly StoredUnit[], language: Language, madeMs: number): Paper {
  const words = wordsIn(language);
  const { say, format } = words;
  const judged = { passed: run.passed, judged: run.passed + run.failed };
  const isAborted = run.state === 'aborted';
  const title = say('burn-in-paper.report');
  const facts: [PhraseKey, string][] = [
    ['burn-in-paper.manufacturer', run.manufacturer],
    ['burn-in-paper.model', run.model],
    ['burn-in-paper.batch', run.batch],
    ['burn-in-paper.plan', run.plan_name],
    ['burn-in-paper.duration', format.duration(run.duration_minutes * 60_000)],
    ['burn-in-paper.units', format.number(run.units)],
    ['burn-in-paper.time', `${momentOf(run.started_at, words)} – ${momentOf(run.ended_at, words)}`],
    ['burn-in-paper.rackOnly', run.rack],
  ];
  const limits: PaperTable = {
    title: say('burn-in-paper.limits'),
    head: [say('burn-in-paper.limit'), say('burn-in-paper.allowed')],
    rows: judgedLimits.flatMap((limit) => {
      const allowed = run.limits[limit];
      const text = limit === 'failLevel' ? format.number(allowed) : amountOf(limit, allowed, words);
      return allowed === null ? [] : [[{ text: say(`burn-in.limit.${limit}`) }, { text, bold: true }]];
    }),
    widths: [160],
  };
  return {
    title: `${title} #${run.number}`,
    heading: `${title} · #${run.number}`,
    name: `#${run.number} · ${run.rack}`,
    about: [run.manufacturer, run.model, run.batch].filter((each) => each !== '').join(' · '),
    verdict: isAborted
      ? { text: say('burn-in-paper.aborted'), tone: 'muted' }
      : { text: say('burn-in-paper.finished'), tone: run.failed === 0 ? 'good' : 'muted' },
    sentence: isAborted
      ? say('burn-in-paper.saysAborted', { ...judged, reason: run.abort_reason })
      : say('burn-in-paper.saysFinished', judged),
    facts: facts.map(([key, value]) => [say(key), value === '' ? NOT_KNOWN : value]),
    notes: notesOf(run, words),
    curve: null,
    tables: [
      ...(limits.rows.length === 0 ? [] : [limits]),
      {
        title: say('burn-in-paper.results'),
        head: (['sn', 'position', 'result', 'output', 'efficiency', 'temperature', 'reason'] as const).map((key) =>
          say(`burn-in-paper.${key}`),
        ),
        rows: units.map((unit) => resultRow(unit, words)),
        widths: [34, 66, 54, 60, 68, 126],
      },
    ],
    foot: say('burn-in-paper.foot'),
    made: say('burn-in-paper.made', { date: format.dayOf(madeMs) }),
  };
}
