import type { FaultCount, ReasonCounts, Said } from './reason-counts.ts';

/** Below this part of what was expected over all runs a loss is too small to be compared. */
const COMPARED_SHARE = 0.01;

/** Told over true energy, less one; null where the loss is too small to be compared. */
export const lossError = ({ toldWh, trueWh, expectedWh }: FaultCount): number | null =>
  trueWh > COMPARED_SHARE * expectedWh ? toldWh / trueWh - 1 : null;

const saidText = (said: Said): string =>
  Object.entries(said)
    .toSorted(([, a], [, b]) => b - a)
    .map(([kind, times]) => `${kind} ${times}`)
    .join(', ');

const percent = (share: number): string => `${Math.round(100 * share)} %`;
const kWh = (wh: number): string => Math.round(wh / 1000).toLocaleString('en');
const signed = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`;

/** Both directions as tables of Markdown. */
export function reasonTables({ faults, healthy }: ReasonCounts): string {
  const weeks = healthy.reduce((sum, row) => sum + row.weeks, 0);
  const wrong = healthy.reduce((sum, row) => sum + row.wrong, 0);
  return [
    '| fault | first reason right | what was said first instead | told | true | error |',
    '| --- | ---: | --- | ---: | ---: | ---: |',
    ...faults.map((row) => {
      const error = lossError(row);
      const energies =
        error === null ? '– | – | –' : `${kWh(row.toldWh)} kWh | ${kWh(row.trueWh)} kWh | ${signed(error)}`;
      return `| ${row.name} | ${percent(row.right / row.runs)} | ${saidText(row.wrong)} | ${energies} |`;
    }),
    '',
    '| healthy plants | plant-weeks | with a reason | which |',
    '| --- | ---: | ---: | --- |',
    ...healthy.map((row) => `| ${row.season} | ${row.weeks} | ${row.wrong} | ${saidText(row.said)} |`),
    `| all | ${weeks} | ${wrong} | |`,
  ].join('\n');
}
