import { posix } from 'node:path';
import { isTest } from './import-directions.ts';
import type { Import } from './imports.ts';

export interface House {
  /**
   * The rooms that others import, from the ground up, with their public files. A room imports only of those before it, and only what
   * they name. Whatever is not in the list stands above all of it and is imported by none, so that a feature needs no line
   * until another imports of it. A file beside the rooms that rooms import is in the list where it imports of rooms itself.
   */
  readonly rooms: Readonly<Record<string, string>>;
  /** Files of the rooms that join what is there, whatever the order; nobody imports them. */
  readonly joints?: RegExp;
  /** What is imported against the order, `file > room`, and why. */
  readonly knots?: Readonly<Record<string, string>>;
}

/** All files are public: the room, or the whole house, is there for the others. */
const OPEN = '*';

/** Of an open house only knots are refused: two rooms that stand on each other. */
const houses: Readonly<Record<string, House | typeof OPEN>> = {
  'apps/server/src': {
    joints: /\/feature\.ts$/,
    rooms: {
      supervision: 'child leftovers processes run-lock',
      stores: `clear-telemetry damaged-parts database in-transaction job-tables lists patience postgres postgres-door raw-numbers
        row-buffer schema schema-burn-in schema-plants seal-keys socket-folder stores telemetry-engine telemetry-tables`,
      access: 'actor codes scope',
      changes: 'change-feed live-bus live-clock',
      jobs: 'jobs',
      'services.ts': '',
      attempts: 'attempts.states attempts.store call-pace',
      errors: 'error-texts',
      http: 'app call-error client-address health operator-port operators serve serve-list serve-upload unique-violation user-agent',
      exports: 'alarm-name cells phrase-text point-name serve-export zip',
      'feature.ts': '',
      csv: 'csv-records',

      map: 'countries',
      branding: 'brand-book brand-of branded-page',
      pictures: 'picture-maker',
      audit: 'audit changed-fields entry-about heads platform verify',
      mail: 'mail mail-texts unconfirmed',
      outgoing: 'get-json outgoing-address',
      'market-prices': 'market-book market-prices.store',
      papers: 'colours formats letterhead page paper-brand pdf-maker',
      notifications: 'channels.service channels.store delivery new-sign-in notice notice-text notify',
      messages: 'messages.service tell-messages',
      tenancy: 'end-user-moves images moves',
      accounts: `accounts.store judged-password links.store mailed-links new-account passwords program-access session-actors sessions
        set-up temporary-passwords`,
      permissions: 'held',
      departments: 'departments.store',
      deletions:
        'account-removal deletions.service device-samples.store history-removal last-administrator organisation-removal',
      organisations: 'organisations.service organisations.states organisations.store sign-up-codes',
      handover: 'handover.store take-handover',
      'sign-up': 'code-as-stored sign-up.store',

      'current-state': 'current-state on-grid state-counts',
      'device-rows': 'device-row device-rows.store',
      'api-keys': 'api-keys.store key-actors',
      broker:
        'account-access account-told connection-scope credentials embedded-broker external-broker failure-limit former-passwords message-source',
      'device-claims': 'burnt-in tell-sides',
      ingestion: `latest/latest metrics registry/plant-model registry/plant-copy registry/registry registry/registry.store registry/remember registry/resting-plants
        registry/site-devices registry/site-prices.store samples/entry-of samples/inbox samples/row-reader samples/sample samples/writer sessions/alarm-book
        sessions/command-hooks sessions/device-host sessions/kinds`,
      'device-settings': 'kept-changes.store reported.store settings-book',
      commands: 'channel commands.states dispatcher hooks orders taken-command wire',
      'fault-records': 'receiver',
      accounting:
        'accounting explained recalculations.store recompute recompute-windows rollup-tables site-rollups tried-days',
      'datalogger-keys': 'claims.service datalogger-keys.store offered-passwords.store tokens',
      dataloggers: 'dataloggers.store',
      sites: `clear-sky-curve compared-span currency-decimals daylight plant-days site-currency site-comparison.service site-opening.store prices.service prices.store site-alarms.service site-alarms.store
        site-comparison.store site-energy.store site-figures site-quality site-report site-live.store site-live site-weeks.store sites.service sites.store where-from.store`,
      devices: 'device-lists.store samples.store',
      insight: 'believed-pv dev-ops.service due.store insight-rows.store pauses.store plant-days told-losses',
      kinks: 'kinks.service',
      fleet: 'fleet.service',
      'home-assistant': 'home-assistant',
      forecast: 'forecast-parts forecast.service',
      'remote-settings': 'checked-values gate grounds subjects.store',
      'test-log': 'recorder',
      incidents: 'evidence-of incidents.store',
      'work-orders': 'orders.store',

      backup: 'after-restore backup-file make-backup restore-backup trial-start under-way',
      demo: 'remove start-demo tenancy',
    },
    knots: {
      'services.ts > commands': 'features order commands: what an order is, is said where it is carried out',
    },
  },
  'apps/web/src': {
    joints: /\/routes\.tsx$/,
    rooms: {
      brand: 'brand-links page-brand',
      menu: 'menu menu-icons',
      state: OPEN,
      language: 'i18n text-sets texts',
      router: 'document-title guard navigation place query search wanted',
      client: OPEN,
      'lazy-screen.ts': '',
      'with-texts.ts': '',
      'screens.ts': '',
      format: OPEN,
      theme: 'colour-scheme styles',
      account: 'preferences sign-out use-account',
      notices: 'notice-list notices',
      tabs: 'route-label tab-context tab-state tabs workspace',
      live: 'freshness line-state use-live until-next-sums use-now kept-answers live-state',
      blocks: OPEN,
      problems: 'chunk-wait error-screen problem-boundary',
      'first-screen.ts': '',

      charts:
        'bar-geometry chart-colours chart-marks chart-parts day-chart day-series energy-bars places-alone time-chart',
      kinks: 'kinks-part',
      story: 'story-part',
      map: 'base-map map-colours mercator outlines',
      flow: 'energy-flow flow-icons flow-model replayed',
      forecast: 'forecast-part',
      strings: 'strings-table',
      'device-claims': 'claims-hint claims-notice home-claims',
      'site-deletions': 'delete-sites taken-text',
      'data-repair': 'corrections-panel repair-screen',
      deletions: 'deletion-list',
      'view-as': 'start-dialog view-as-action view-as-banner',
      organisations: 'deletion-dialog organisation-source password-dialog',
      'migrations-of-accounts': 'migrate-plants',
      'site-shares': 'share-sites site-shares-panel',
      handover: 'arrival handover-part take-dialog',
      documents: 'documents-of-part pdf-pages',
      factory: 'origin-part',
      'monthly-reports': 'report-part',
      sites: `day-stepper plant-views preliminary site-actions site-cells site-filters site-flow-panel site-key-figures site-money-card trouble-text
        use-change use-site-now`,
      'remote-settings': 'command-part drift-part group-draft',
      'device-history': 'device-history-actions',
      ems: 'ems-of-plant',
      devices: 'point-groups point-text',
      analysis:
        'address analysis-plot clock-moment curves lane-words lanes read-out shown-look time-text use-analysis use-reading',
      'work-orders': 'open-orders-part orders-of-part',
      'fault-records': 'records-of-part',
      incidents: 'home-alarms-part menu-count',
      messages: 'menu-count',
      insight: 'attention-panel attention-text evidence-part loss-text',
      welcome: 'welcome-part',
      'install-trend': 'home-trend',
      login: `entered-name entry-form entry-links entry-page field new-password-fields sign-in use-link-code use-set-up-state`,
      password: 'change-password-form confirm-email-notice',
      'api-keys': 'api-keys-section',
      notifications: 'channel-words channels-section',
      'user-center': 'account-drawer time-zones',
      'site-form': 'code-scanner pasted-modules',
      fleet: 'homes',

      search: 'control-key palette palette-state wish',
      shell: 'phone-bars workspace-frame',
    },
    knots: {
      'first-screen.ts > shell':
        'what a page begins with is fetched before anything asks for it, also while the password is typed',
      'first-screen.ts > fleet': 'the same holds for home, whose code depends on who signs in',
    },
  },
  'packages/contract/src': OPEN,
  'packages/device-protocol/src': OPEN,
  'packages/energy/src': OPEN,
};

export function wrongRooms(
  imports: readonly Import[],
  table: Readonly<Record<string, House | typeof OPEN>> = houses,
): string[] {
  return Object.entries(table).flatMap(([folder, house]) => {
    const within = imports
      .filter(({ file, of }) => file.startsWith(`${folder}/`) && of.startsWith(`${folder}/`) && !isTest(file))
      .map(({ file, of }) => ({ file: posix.relative(folder, file), to: posix.relative(folder, of) }))
      .filter(({ file, to }) => roomOf(file) !== roomOf(to));
    const wrong = house === OPEN ? knotsIn(within) : [...wrongImports(within, house), ...idleNames(within, house)];
    return wrong.map((line) => `${folder}: ${line}`);
  });
}

interface Crossing {
  readonly file: string;
  readonly to: string;
}

/** A file beside the rooms is one by itself. */
const roomOf = (file: string): string => file.split('/')[0] ?? '';
const isRoom = (name: string): boolean => !/\.tsx?$/.test(name);
const isNamed = (names: string, file: string): boolean =>
  names === OPEN || words(names).includes(file.replace(/^[^/]+\//, '').replace(/\.tsx?$/, ''));
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function wrongImports(within: readonly Crossing[], { rooms, joints, knots = {} }: House): string[] {
  const order = Object.keys(rooms);
  const ground = groundOf(within, order, joints);
  const heightOf = (room: string): number =>
    ground.has(room) ? -1 : order.includes(room) ? order.indexOf(room) : Number.POSITIVE_INFINITY;
  return within.flatMap(({ file, to }) => {
    const [from, room] = [roomOf(file), roomOf(to)];
    if (joints?.test(to)) return [`${file} imports ${to}, which nobody imports`];
    if (isRoom(room) && !isNamed(rooms[room] ?? '', to)) return [`${file} imports ${to}, which ${room} does not name`];
    const isBeside = !isRoom(from) && !isRoom(room) && heightOf(from) === heightOf(room);
    const isAgainst = heightOf(room) >= heightOf(from) && !isBeside && !joints?.test(file);
    return isAgainst && !(`${from} > ${room}` in knots)
      ? [`${file} imports ${to}, but ${room} is not below ${from}`]
      : [];
  });
}

/** What is left once all is taken away that stands on nothing else, or that nothing else stands on. */
function knotsIn(within: readonly Crossing[]): string[] {
  let left = within.filter(({ file, to }) => isRoom(roomOf(file)) && isRoom(roomOf(to)));
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    const [above, below] = [left.map(({ file }) => roomOf(file)), left.map(({ to }) => roomOf(to))];
    left = left.filter(({ file, to }) => below.includes(roomOf(file)) && above.includes(roomOf(to)));
  }
  return left.map(({ file, to }) => `${file} imports ${to}, and both rooms stand on each other`);
}

/** Files beside the rooms on which rooms stand: those that they import, and what these import. */
function groundOf(within: readonly Crossing[], order: readonly string[], joints: RegExp | undefined): Set<string> {
  const found = new Set<string>();
  const grow = (isFrom: (file: string) => boolean): void => {
    for (const { file, to } of within) {
      if (isRoom(roomOf(to)) || order.includes(to) || found.has(to) || !isFrom(file)) continue;
      found.add(to);
      grow((each) => each === to);
    }
  };
  grow((file) => (isRoom(roomOf(file)) || order.includes(file)) && !joints?.test(file));
  return found;
}

/** What is named and needs no name. */
function idleNames(within: readonly Crossing[], { rooms, knots = {} }: House): string[] {
  const isImported = (file: string) => within.some(({ to }) => to.replace(/\.tsx?$/, '') === file);
  const names = Object.entries(rooms).flatMap(([room, files]) => {
    if (files === OPEN) return [];
    return isRoom(room) ? words(files).map((file) => `${room}/${file}`) : [room.replace(/\.tsx?$/, '')];
  });
  return [
    ...names.filter((name) => !isImported(name)).map((name) => `${name} is named, and no other room imports it`),
    ...Object.keys(knots)
      .filter((knot) => !within.some(({ file, to }) => `${roomOf(file)} > ${roomOf(to)}` === knot))
      .map((knot) => `${knot} is named as a knot, and is none`),
  ];
}
