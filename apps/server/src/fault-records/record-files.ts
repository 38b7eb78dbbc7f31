import { Readable } from 'node:stream';
import type { recordFormats } from '@sonnenwarte/contract/fault-records/fault-records';
import type { Language } from '@sonnenwarte/contract/languages';
import type { FaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import { alarmName } from '../exports/alarm-name.ts';
import { phraseText } from '../exports/phrase-text.ts';
import { pointName, unitText } from '../exports/point-name.ts';
import { zipOf } from '../exports/zip.ts';
import type { FileAnswer } from '../http/serve.ts';
import { comtradeConfig, comtradeData } from './comtrade.ts';
import type { RecordFound } from './records.store.ts';

export type RecordFormat = (typeof recordFormats)[number];
type About = Pick<RecordFound, 'sn' | 'kind' | 'model' | 'site_name'>;

/** A record in an archive: of two tables, or as COMTRADE. */
export function recordFile(record: FaultRecord, about: About, format: RecordFormat, language: Language): FileAnswer {
  const moment = new Date(record.timeMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const name = `${about.sn}-${moment}-${record.code}`;
  const files =
    format === 'csv'
      ? [
          { name: `${name}-values.csv`, content: valueRows(record, about, language) },
          { name: `${name}-waveforms.csv`, content: waveRows(record, language) },
        ]
      : [
          { name: `${name}.cfg`, content: [comtradeConfig(record, about)] },
          { name: `${name}.dat`, content: comtradeData(record) },
          { name: `${name}.hdr`, content: headerLines(record, about, language) },
        ];
  return {
    name: `${name}-${format}.zip`,
    contentType: 'application/zip',
    body: Readable.from(zipOf(files)),
  };
}

const BOM = '﻿';

/** Texts of devices begin no formula. */
const quoted = (text: string): string => {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

const line = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(cell))).join(',')}\r\n`;

function* valueRows(record: FaultRecord, { kind }: About, language: Language): Generator<string> {
  const text = (key: 'variable' | 'value' | 'unit' | 'low' | 'high') =>
    phraseText(`fault-records.column.${key}`, language);
  yield BOM + line([text('variable'), text('value'), text('unit'), text('low'), text('high')]);
  yield line([phraseText('fault-records.field.code', language), record.code, alarmName(record.code, language), '', '']);
  yield line([
    phraseText('fault-records.field.occurredMs', language),
    new Date(record.timeMs).toISOString(),
    'UTC',
    '',
    '',
  ]);
  for (const { name, value, low = '', high = '' } of record.registers) {
    const unit = unitText(pointByName(kind, name)?.unit ?? '');
    yield line([pointName({ name }, language), typeof value === 'boolean' ? Number(value) : value, unit, low, high]);
  }
}

function* waveRows({ channels, before, rateHz }: FaultRecord, language: Language): Generator<string> {
  const titles = channels.map(({ name, unit }) => {
    const shown = unitText(unit);
    return shown === '' ? pointName({ name }, language) : `${pointName({ name }, language)} (${shown})`;
  });
  yield BOM + line([`${phraseText('fault-records.column.sinceTrigger', language)} (ms)`, ...titles]);
  const samples = channels[0]?.samples.length ?? 0;
  for (let at = 0; at < samples; at += 1) {
    const ms = Number((((at - before) / rateHz) * 1_000).toFixed(4));
    yield line([ms, ...channels.map(({ samples: told, scale }) => Number(((told[at] ?? 0) * scale).toPrecision(7)))]);
  }
}

function* headerLines(
  record: FaultRecord,
  { sn, kind, model, site_name }: About,
  language: Language,
): Generator<string> {
  yield `${site_name ?? ''}\r\n${[model, sn].filter(Boolean).join(' ')}\r\n`;
  yield `${record.code} ${alarmName(record.code, language)}\r\n${new Date(record.timeMs).toISOString()}\r\n`;
  for (const { name, value, low, high } of record.registers) {
    const unit = unitText(pointByName(kind, name)?.unit ?? '');
    const limits = low === undefined && high === undefined ? '' : ` [${low ?? ''} … ${high ?? ''}]`;
    yield `${pointName({ name }, language)}: ${value} ${unit}${limits}\r\n`;
  }
}
