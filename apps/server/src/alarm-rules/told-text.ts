import { DEFAULT_LANGUAGE, isLanguage, type Language, localeOf } from '@sonnenwarte/contract/languages';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { alarmName } from '../exports/alarm-name.ts';
import { knownPhrase, phraseText } from '../exports/phrase-text.ts';
import type { Told } from '../notifications/delivery.ts';
import type { Reader } from '../notifications/notice-text.ts';

export interface ToldAlarm {
  readonly incidentId: string;
  readonly code: number;
  readonly level: number;
  readonly event: 'began' | 'escalated' | 'ended' | 'test';
  readonly sinceMs: number;
  readonly untilMs: number | null;
  /** Plant, or region of an incident at several. */
  readonly place: string;
  /** Of the plant; empty where there are several. */
  readonly zone: string;
  /** Serial number of the device or datalogger; empty where it is neither. */
  readonly sn: string;
  /** At so many plants. */
  readonly plants: number;
}

export interface AlarmReader extends Reader {
  readonly level: number;
}

/** Alarms that a letter names one by one. */
const MOST_NAMED = 25;

const languageOf = ({ language }: Pick<Reader, 'language'>): Language =>
  isLanguage(language) ? language : DEFAULT_LANGUAGE;

const text = (
  language: Language,
  key: Parameters<typeof phraseText>[0],
  values: Record<string, string | number> = {},
) => phraseText(key, language, values);

/** Alarms in the words of who is told of them, with times of each plant's clock. `portal`: address of the portal, without a slash at its end. */
export function alarmTold(
  unordered: readonly ToldAlarm[],
  { ruleName, portal, id, atMs }: { ruleName: string; portal: string; id: string; atMs: number },
  reader: AlarmReader,
): Told {
  const language = languageOf(reader);
  const alarms = worstFirst(unordered);
  const [first] = alarms;
  if (first === undefined) throw new Error('there is nothing to tell');
  const rule = ruleName === '' ? text(language, 'alarm-rules.firstRule') : ruleName;
  const single = alarms.length === 1;
  const url = single && first.event !== 'test' ? `/bus/alarm/detail?id=${first.incidentId}` : '/bus/alarm';
  const title = single
    ? titleOf(first, language)
    : text(language, 'alarm-rules.told.digestTitle', { count: alarms.length });
  const short = single ? sentenceOf(first, language, reader) : digestOf(alarms, language);
  const advice =
    single && first.event !== 'ended' && reader.level !== LEVEL.endUser ? adviceOf(first.code, language) : '';
  const lines = single ? [] : alarms.slice(0, MOST_NAMED).map((alarm) => lineOf(alarm, language, reader));
  const more = alarms.length - lines.length;
  const letter = [
    text(language, 'alarm-rules.told.greeting', { name: reader.name }),
    single ? `${title}\n${short}` : lines.join('\n'),
    advice,
    !single && more > 0 ? text(language, 'alarm-rules.told.more', { count: more }) : '',
    text(language, 'alarm-rules.told.open', { link: `${portal}${url}` }),
    text(language, 'alarm-rules.told.why', { rule, link: `${portal}/bus/alarm/rules` }),
  ].filter((part) => part !== '');
  return {
    kind: 'alarms',
    atMs,
    title,
    text: short,
    letter: `${letter.join('\n\n')}\n`,
    language,
    url,
    id,
    detail: { rule, alarms: alarms.slice(0, 200).map((alarm) => factsOf(alarm, language)), count: alarms.length },
  };
}

function titleOf({ event, code, level, place }: ToldAlarm, language: Language): string {
  const values = { level: levelName(level, language), alarm: alarmName(code, language), place };
  if (event === 'test') return text(language, 'alarm-rules.told.testTitle');
  return text(language, `alarm-rules.told.${event}Title`, values);
}

function timeOf(ms: number, zone: string, language: Language, reader: AlarmReader): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone || (reader.timeZone ?? 'UTC'),
  }).format(ms);
}

function sentenceOf(alarm: ToldAlarm, language: Language, reader: AlarmReader): string {
  if (alarm.event === 'test') return text(language, 'alarm-rules.told.testText');
  const since = timeOf(alarm.sinceMs, alarm.zone, language, reader);
  const what = alarm.plants > 1 ? text(language, 'alarm-rules.told.plants', { count: alarm.plants }) : alarm.sn;
  const when =
    alarm.untilMs === null
      ? text(language, 'alarm-rules.told.since', { time: since })
      : text(language, 'alarm-rules.told.span', {
          from: since,
          until: timeOf(alarm.untilMs, alarm.zone, language, reader),
        });
  return [what, when].filter((part) => part !== '').join(' · ');
}

const lineOf = (alarm: ToldAlarm, language: Language, reader: AlarmReader): string =>
  `– ${titleOf(alarm, language)} (${sentenceOf(alarm, language, reader)})`;

const worstFirst = (alarms: readonly ToldAlarm[]): ToldAlarm[] =>
  alarms.toSorted((a, b) => b.level - a.level || a.sinceMs - b.sinceMs);

/** The worst by name, and where. */
function digestOf(alarms: readonly ToldAlarm[], language: Language): string {
  const worst = alarms.slice(0, 2);
  return worst.map((alarm) => titleOf(alarm, language)).join(' · ');
}

const adviceOf = (code: number, language: Language): string => knownPhrase(`alarms.${code}.advice`, language) ?? '';

function levelName(level: number, language: Language): string {
  return knownPhrase(`incidents.level.${level}`, language) ?? String(level);
}

const factsOf = (alarm: ToldAlarm, language: Language): Record<string, unknown> => ({
  incidentID: alarm.incidentId,
  event: alarm.event,
  code: alarm.code,
  name: alarmName(alarm.code, language),
  level: alarm.level,
  place: alarm.place,
  sn: alarm.sn,
  since: new Date(alarm.sinceMs).toISOString(),
  until: alarm.untilMs === null ? null : new Date(alarm.untilMs).toISOString(),
});
