import type { Config } from './config.ts';
import { DEMO_PASSWORD, demoAccounts } from './demo/tenancy.ts';
import { isLoopback } from './loopback.ts';
import type { Server } from './server.ts';

interface BannerFacts {
  readonly config: Config;
  readonly server: Pick<Server, 'url' | 'mqttPort' | 'mqttTls' | 'setUpCode' | 'notes'>;
  readonly logFile: string | undefined;
  readonly startedInMs: number;
}

/** The one block that a start prints: address, accounts, where data lies, how to stop. */
export function banner({ config, server, logFile, startedInMs }: BannerFacts): string {
  const rows: [string, string][] = [['Portal', server.url]];
  if (server.setUpCode !== undefined) {
    rows.push(['First account', `${server.url}/setup#${server.setUpCode}  (works once)`]);
  }
  if (config.demo) {
    rows.push(['Demo accounts', `${demoAccounts.map(({ user }) => user).join(', ')}  (password: ${DEMO_PASSWORD})`]);
  }
  rows.push(...brokerRows(config, server));
  rows.push(['API', `${server.url}/docs/api`], ['Data', config.dataDir]);
  if (logFile !== undefined) rows.push(['Log', logFile]);
  rows.push(['Stop', 'Ctrl-C']);
  for (const note of server.notes) rows.push(['Note', note]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  return `\nSonnenwarte runs (started in ${(startedInMs / 1000).toFixed(1)} s)\n\n${lines.join('\n')}\n\n${warning(config)}`;
}

const warning = ({ demo, forOthers }: Config): string =>
  demo && forOthers
    ? 'WARNING: DEMO=on shows the demo to others. Its passwords are public: everybody who reaches this portal can\n' +
      '         sign in as its administrator. Set DEMO=off before you keep anything of your own here.\n\n'
    : '';

function brokerRows({ host, mqttPlain }: Config, { mqttPort, mqttTls }: BannerFacts['server']): [string, string][] {
  const rows: [string, string][] = [];
  const isHereOnly = !isLoopback(host) && !mqttPlain;
  if (mqttPort !== undefined) rows.push(['Dataloggers', `mqtt://${isHereOnly ? '127.0.0.1' : host}:${mqttPort}`]);
  if (mqttTls !== undefined) {
    rows.push(
      ['Dataloggers, TLS', `mqtts://${host}:${mqttTls.port}`],
      ['Certificate', `SHA-256 ${mqttTls.fingerprint}`],
    );
  }
  return rows;
}

export interface ProgressLine {
  /** Of how much has been told so far: of so many months, of the last thirty days where they are left out, of a day where they are 0. */
  readonly show: (progress: number, months?: number) => void;
  readonly end: () => void;
}

const stepPercent = 10;

/** A line that counts up in place on a terminal, and in steps of ten percent elsewhere. */
export function progressLine(out: NodeJS.WritableStream, inPlace: boolean): ProgressLine {
  let shownPercent = -1;
  let isOpen = false;
  const end = () => {
    if (inPlace && isOpen) out.write('\n');
    isOpen = false;
  };
  return {
    show: (progress, months) => {
      const percent = Math.floor(Math.min(1, progress) * 100);
      const due = inPlace
        ? percent !== shownPercent
        : Math.floor(percent / stepPercent) !== Math.floor(shownPercent / stepPercent);
      if (!due) return;
      shownPercent = percent;
      isOpen = true;
      const span = months === undefined ? '30 days' : months === 0 ? 'a day' : `${months} months`;
      const what = `${span} of demo history`;
      const text = percent < 100 ? `Generating ${what} … ${percent} %` : `Generated ${what}.   `;
      out.write(inPlace ? `\r${text}` : `${text}\n`);
      if (percent >= 100) end();
    },
    end,
  };
}
