import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchmarkNames, figures, isMet, targetText } from './figures.ts';
import { shown } from './quantiles.ts';
import { latestFile, type Results, readResults } from './results.ts';

const document = join(import.meta.dirname, '../../docs/performance.md');
const picture = join(import.meta.dirname, '../../docs/pictures/growth.svg');
const BEGIN = '<!-- figures: written by npm run bench from bench/results/latest.json -->';
const END = '<!-- end of figures -->';

/** Writes the table of figures between the two marks of docs/performance.md. */
export function fillDocument(results: Results): void {
  const text = readFileSync(document, 'utf8');
  const from = text.indexOf(BEGIN);
  const to = text.indexOf(END);
  if (from < 0 || to < from) throw new Error('docs/performance.md has no place for the figures');
  writeFileSync(document, `${text.slice(0, from)}${BEGIN}\n\n${markdownOf(results)}\n${text.slice(to)}`);
}

function markdownOf(results: Results): string {
  const lines: string[] = [];
  for (const name of benchmarkNames) {
    const result = results[name];
    const taken = result === undefined ? 'not run yet' : `${result.takenAt.slice(0, 10)}, ${result.machine}`;
    lines.push(`### ${name}`, '', `Taken: ${taken}.`, '');
    lines.push('| figure | value | target | met | taken with, limited by |', '| --- | ---: | ---: | --- | --- |');
    for (const figure of figures[name]) {
      const found = result?.measured[figure.id];
      const met = found === undefined ? undefined : isMet(figure, found.value);
      const cells = [
        figure.what,
        found === undefined ? '–' : `${shown(found.value)} ${figure.unit}`,
        targetText(figure),
        met === undefined ? '' : met ? 'yes' : '**no**',
        found?.detail ?? '',
      ];
      lines.push(`| ${cells.join(' | ')} |`);
    }
    for (const note of result?.notes ?? []) lines.push('', `Note: ${note}.`);
    if (result?.error !== undefined) lines.push('', `Failed: ${result.error}`);
    if (name === 'growth' && existsSync(picture)) {
      lines.push('', '![Ingest, list and overview by number of plants](pictures/growth.svg)');
    }
    lines.push('');
  }
  return lines.join('\n');
}

if (import.meta.main) fillDocument(readResults(latestFile));
