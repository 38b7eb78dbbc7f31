import { hostileKindNames, hostileKinds } from '../load/hostile-kinds.ts';

export type BenchmarkName =
  | 'ingest'
  | 'peers'
  | 'live'
  | 'hostile'
  | 'reads'
  | 'start'
  | 'web'
  | 'growth'
  | 'streams'
  | 'sign-in'
  | 'people'
  | 'bulk'
  | 'registry'
  | 'idle'
  | 'palette'
  | 'devices'
  | 'map'
  | 'sizes'
  | 'insight'
  | 'commands'
  | 'analysis'
  | 'timers'
  | 'incidents'
  | 'telling'
  | 'reports'
  | 'factory'
  | 'burn-in';

export interface Figure {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  /** `most`: at most this; `least`: at least this. Left out: told for information. */
  readonly target?: { readonly most: number } | { readonly least: number };
}

const most = (limit: number) => ({ target: { most: limit } });
const least = (limit: number) => ({ target: { least: limit } });
/** The event loop is given back at least so often, ms. */
const NO_STALL = most(100);
const figure = (id: string, what: string, unit: string, target: Pick<Figure, 'target'> = {}): Figure => ({
  id,
  what,
  unit,
  ...target,
});

/** Sizes of fleets, and what list and home may take at each. */
const fleetSizes = ['12', '1,000', '10,000', '100,000'];
const FLEET_MS = [50, 50, 50, 150];
const MAP_MS = [50, 50, 200, 300];
/** Whatever the size. */
const DETAIL_MS = 100;

/** Every figure that a run can tell, with its target, in the order of the table. */
export const figures: Readonly<Record<BenchmarkName, readonly Figure[]>> = {
  ingest: [
    figure('ingest.qos1', 'Ingest, QoS 1, acknowledged after storage', 'samples/s', least(20_000)),
    figure('ingest.qos1.values', 'The same in values', 'values/s', least(1_200_000)),
    figure('ingest.qos0', 'Ingest, QoS 0', 'samples/s', least(20_000)),
    figure('ingest.ack.p50', 'Publish to acknowledgement at full load, p50', 'ms'),
    figure('ingest.ack.p99', 'Publish to acknowledgement at full load, p99', 'ms'),
    figure('ingest.stall', 'Longest stall of the event loop', 'ms', most(100)),
    figure('ingest.missing', 'Acknowledged samples not found in storage', 'samples', most(0)),
    figure('ingest.bytes', 'Stored, rollups included', 'bytes/sample', most(25)),
    figure('ingest.bytes.raw', 'of which raw samples', 'bytes/sample'),
    figure('ingest.memory.server', 'Memory of the server at full load', 'MiB'),
    figure('ingest.memory.engine', 'Memory of the telemetry engine', 'MiB'),
    figure('ingest.memory.postgres', 'Memory of PostgreSQL', 'MiB'),
    figure('ingest.memory.client', 'Memory of the load generator', 'MiB'),
  ],
  peers: [
    figure('peers.influxdb', 'InfluxDB 1.6: the same samples', 'samples/s'),
    figure('peers.influxdb.bytes', 'InfluxDB 1.6: stored', 'bytes/sample'),
    figure('peers.influxdb.curve', 'InfluxDB 1.6: curve of 6 variables, p95', 'ms'),
    figure('peers.influxdb.ratio', 'Sonnenwarte (QoS 1) against InfluxDB 1.6', 'times', least(3)),
    figure('peers.victoria', 'VictoriaMetrics: the same samples', 'samples/s'),
    figure('peers.victoria.bytes', 'VictoriaMetrics: stored', 'bytes/sample'),
    figure('peers.victoria.curve', 'VictoriaMetrics: curve of 6 variables, p95', 'ms'),
    figure('peers.victoria.ratio', 'Sonnenwarte (QoS 1) against VictoriaMetrics', 'times', least(3)),
  ],
  live: [
    figure('live.connected', 'Dataloggers connected', 'loggers', least(10_000)),
    figure('live.connect', 'Time until all are connected and born', 's'),
    figure('live.site.p99', 'Publish to browser, plant, p99', 'ms', most(1_500)),
    figure('live.device.p99', 'Publish to browser, device with that very value, p99', 'ms', most(1_500)),
    figure('live.wrong', 'Values in the browser that differ from those published', 'values', most(0)),
    figure('live.memory', 'Memory of the server', 'MiB', most(1_536)),
    figure('live.stall', 'Longest stall of the event loop', 'ms', most(100)),
    figure('live.storm', 'Reconnect storm of 5,000: all back', 's', most(30)),
    figure('live.storm.missing', 'Acknowledged samples not found after the storm', 'samples', most(0)),
  ],
  hostile: [
    figure('hostile.alone.ack', 'Good loggers alone, acknowledgement p99', 'ms'),
    ...hostileKindNames.flatMap((kind) => [
      figure(
        `hostile.${kind}.ack`,
        `Beside ${hostileKinds[kind]}: acknowledgement of the good, p99`,
        'ms',
        most(2_000),
      ),
      figure(`hostile.${kind}.healthz`, 'the same: /healthz, slowest answer', 'ms', most(200)),
      figure(`hostile.${kind}.memory`, 'the same: memory of the server, growth in the second half', 'MiB', most(48)),
    ]),
    figure('hostile.stall', 'Longest stall of the event loop', 'ms', most(100)),
    figure('hostile.missing', 'Acknowledged samples of the good not found in storage', 'samples', most(0)),
  ],
  reads: [
    figure('reads.history', 'Day curve of 6 variables of a device, p95', 'ms', most(15)),
    figure('reads.day', 'Day curve of a plant, p95', 'ms', most(15)),
    figure('reads.latest', 'Latest values of 500 devices, p95', 'ms', most(10)),
    figure('reads.list.10k', 'Plant list of 10,000, slowest sort or filter, p95', 'ms', most(50)),
    figure('reads.fleet.10k', 'Fleet overview of 10,000 plants, p95', 'ms', most(50)),
    figure('reads.list.100k', 'Plant list of 100,000, slowest sort or filter, p95', 'ms', most(150)),
    figure('reads.fleet.100k', 'Fleet overview of 100,000 plants, p95', 'ms'),
    figure('reads.stall.curves', 'Longest stall of the event loop: curves', 'ms', NO_STALL),
    figure('reads.stall.10k', 'The same, lists of 10,000 plants', 'ms', NO_STALL),
    figure('reads.stall.100k', 'The same, lists of 100,000 plants', 'ms', NO_STALL),
    figure('reads.signin', 'Sign-in (Argon2id), p95', 'ms'),
    figure('reads.signin.rate', 'Sign-ins, four at a time', 'per s'),
  ],
  start: [
    figure('start.cold', 'npm start on an empty data folder to the first signed-in page', 's', most(5)),
    figure('start.warm', 'The same on a data folder in use', 's', most(5)),
    figure('start.history', "The demo's 30 days of history", 's', most(30)),
    figure('start.months', "Thirteen months of the demonstration's history told", 's', most(90)),
    figure('start.accounted', 'All of them accounted, no figure preliminary', 's'),
    figure('start.history.call', 'Calls of the portal meanwhile, p95', 'ms'),
  ],
  web: [
    figure('web.js.login', 'JavaScript of the sign-in page, gzip', 'kB', most(140)),
    figure('web.js.initial', 'JavaScript of the first signed-in page, gzip', 'kB', most(180)),
    figure('web.css', 'Style sheets of the plant page, gzip', 'kB', most(25)),
    figure('web.route', 'Largest route beyond the first page, gzip', 'kB', most(75)),
    figure('web.language', 'Texts of a first page, largest language, gzip', 'kB', most(20)),
    figure('web.login.fcp', 'Sign-in, first contentful paint, desktop', 'ms', most(1_000)),
    figure('web.login.fcp.slow', 'Sign-in, first contentful paint, slow 4G and CPU x4', 'ms', most(2_200)),
    figure('web.login.lcp.slow', 'Sign-in, largest contentful paint, slow 4G and CPU x4', 'ms', most(2_000)),
    figure('web.login.tbt.slow', 'Sign-in, blocking time, slow 4G and CPU x4', 'ms', most(500)),
    figure('web.plant.fcp', 'Plant page, first contentful paint, desktop', 'ms', most(1_000)),
    figure('web.plant.fcp.slow', 'Plant page, first contentful paint, slow 4G and CPU x4', 'ms', most(2_200)),
    figure('web.plant.lcp.slow', 'Plant page, largest contentful paint, slow 4G and CPU x4', 'ms', most(2_000)),
    figure('web.plant.tbt.slow', 'Plant page, blocking time, slow 4G and CPU x4', 'ms', most(500)),
    figure('web.chart', 'Day chart 6 x 1,440, answer to painted, CPU x4', 'ms', most(200)),
    figure('web.memory', 'JavaScript heap of the plant page', 'MiB'),
  ],
  growth: [1, 10, 100].flatMap((scale) => [
    figure(`growth.ingest.${scale}`, `Ingest with ${scale * 12} plants`, 'samples/s'),
    figure(`growth.list.${scale}`, `Plant list of ${scale * 12}, p95`, 'ms'),
    figure(`growth.fleet.${scale}`, `Fleet overview of ${scale * 12} plants, p95`, 'ms'),
  ]),
  streams: [
    figure('streams.open', 'Streams open at once', 'streams', least(500)),
    figure('streams.spread.p99', 'First to each stream of the same event, p99', 'ms', most(15)),
    figure('streams.push.p99', 'Publish to browser with 500 streams, p99', 'ms', most(1_500)),
  ],
  'sign-in': [
    figure('sign-in.asked', 'Sign-ins asked for, each from an address of its own', 'per s', least(200)),
    figure('sign-in.judged', 'of which judged', 'per s'),
    figure('sign-in.refused', 'of which refused at once, with the time to wait', 'per s'),
    figure('sign-in.unanswered', 'of which neither', 'sign-ins', most(0)),
    figure('sign-in.answer', 'Answer of a sign-in that is judged, p95', 'ms'),
    figure('sign-in.reads', 'Other reads meanwhile, p95', 'ms', most(100)),
    figure('sign-in.sessions', 'Sessions that read at once', 'sessions', least(1_000)),
    figure('sign-in.sessions.reads', 'Their reads, p95', 'ms', most(100)),
    figure('sign-in.enumeration', 'Sign-in, known and unknown accounts: medians differ by', 'ms', most(5)),
    figure('sign-in.enumeration.reset', 'Forgotten password, the same', 'ms', most(5)),
    figure('sign-in.enumeration.sign-up', 'Sign-up, address taken and free: medians differ by', 'ms', most(5)),
  ],
  people: [
    figure('people.list', 'User management, 100,000 accounts, any order, p95', 'ms', most(150)),
    figure('people.search', 'User management, 100,000 accounts, any search or filter, p95', 'ms', most(150)),
    figure('people.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
  ],
  bulk: [
    figure('bulk.quiet.stall', 'Longest stall of the event loop, 20,000 plants that nobody looks at', 'ms', NO_STALL),
    figure('bulk.export.csv', 'Export of 20,000 rows, CSV', 's'),
    figure('bulk.export.csv.stall', 'Longest stall of the event loop meanwhile', 'ms', NO_STALL),
    figure('bulk.export.xlsx', 'Export of 20,000 rows, XLSX', 's'),
    figure('bulk.export.xlsx.stall', 'Longest stall of the event loop meanwhile', 'ms', NO_STALL),
    figure('bulk.delete', 'Deletion of an organisation with 20,000 plants', 's'),
    figure('bulk.delete.stall', 'Longest stall of the event loop meanwhile', 'ms', NO_STALL),
    figure('bulk.undo', 'Undoing it', 's'),
    figure('bulk.undo.stall', 'Longest stall of the event loop meanwhile', 'ms', NO_STALL),
    figure('bulk.purge', 'Removing them for good, after 30 days', 's'),
    figure('bulk.purge.stall', 'Longest stall of the event loop meanwhile', 'ms', NO_STALL),
  ],
  registry: (['10k', '100k'] as const).flatMap((name) => {
    const plants = name === '10k' ? '10,000' : '100,000';
    return [
      figure(`registry.one.${name}`, `One logger of ${plants} connects, and its plant is known`, 'ms'),
      figure(`registry.read.${name}`, `10,000 loggers of ${plants} connect at once, and their plants are known`, 'ms'),
      figure(`registry.idle.${name}`, 'It reads what has changed, and nothing has', 'ms'),
      figure(`registry.changed.${name}`, '100 plants get another time zone, and it knows', 'ms'),
      figure(`registry.stall.${name}`, 'Longest stall of the event loop meanwhile', 'ms', most(50)),
      figure(`registry.memory.${name}`, 'Memory of the process afterwards', 'MiB'),
    ];
  }),
  idle: [
    figure('idle.start', 'Start with 100,000 plants stored, until the portal answers', 'ms'),
    figure('idle.cores', 'Server with 100,000 plants stored and none connected', '% of a core', most(3)),
    figure('idle.memory', 'Its memory', 'MiB', most(400)),
    figure('idle.postgres', 'Memory of PostgreSQL', 'MiB'),
  ],
  devices: [
    figure('devices.list', 'List of 100,000 devices, any order and filter, p95', 'ms', most(150)),
    figure('devices.tree', 'The same as a tree below 50,000 dataloggers, p95', 'ms', most(300)),
    figure('devices.counts', 'Numbers by kind and by state, both, p95', 'ms', most(150)),
    figure('devices.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
  ],
  palette: [
    figure('palette.find', 'Search over 100,000 plants and all that is on them, any text, p95', 'ms', most(50)),
    figure('palette.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
  ],
  map: [
    ...fleetSizes.map((plants, place) =>
      figure(
        `map.open.${place}`,
        `Map of ${plants} plants, all that it asks for until it shows them, p95`,
        'ms',
        most(MAP_MS[place] ?? 0),
      ),
    ),
    ...[2, 3].flatMap((place) => [
      figure(
        `map.frame.all.${place}`,
        `Map of ${fleetSizes[place]} plants, all in view, a frame while it is dragged, p95`,
        'ms',
        most(20),
      ),
      figure(`map.frame.near.${place}`, 'The same nearer, with finer outlines', 'ms', most(20)),
    ]),
    ...(['administrator', 'distributor'] as const).flatMap((who) => [
      figure(`map.view.all.${who}`, `All plants of the map in groups, to the ${who}, p95`, 'ms', most(150)),
      figure(`map.view.country.${who}`, 'The same of a tenth of them', 'ms', most(150)),
      figure(`map.view.town.${who}`, 'The same where few are, one by one', 'ms', most(50)),
    ]),
    figure('map.cells', 'Cells of the map tile at 100,000 plants, p95', 'ms', most(300)),
    figure('map.trend', 'Installation trend of 100,000 plants, p95', 'ms', most(150)),
    figure('map.stall', 'Longest stall of the event loop meanwhile', 'ms', most(60)),
    figure('map.week', 'Seven days of power of 100,000 plants, worked out', 'ms', most(10_000)),
    figure('map.week.stall', 'Longest stall of the event loop meanwhile', 'ms', NO_STALL),
  ],
  sizes: fleetSizes.flatMap((plants, place) => {
    const within = most(FLEET_MS[place] ?? 0);
    const screens = [
      figure(
        `sizes.list.${place}`,
        `Plant list of ${plants} plants, the slowest order of those tried, p95`,
        'ms',
        within,
      ),
      figure(`sizes.filter.${place}`, 'The same, the slowest filter', 'ms', within),
      figure(`sizes.home.${place}`, 'The same of home: overview, needs attention and week', 'ms', within),
      figure(
        `sizes.map.${place}`,
        'The same of the map: all that it asks for until it shows its plants',
        'ms',
        most(MAP_MS[place] ?? 0),
      ),
      figure(
        `sizes.detail.${place}`,
        'The same of one plant: its data, live, figures, devices and day',
        'ms',
        most(DETAIL_MS),
      ),
    ];
    const distributor = [
      figure(
        `sizes.distributor.list.${place}`,
        'The list to a distributor whose installers have them all, by power',
        'ms',
        within,
      ),
      figure(`sizes.distributor.home.${place}`, 'Home to that distributor', 'ms', within),
    ];
    return [
      ...screens,
      ...distributor,
      figure(`sizes.stall.${place}`, 'Longest stall of the event loop meanwhile', 'ms', NO_STALL),
    ];
  }),
  insight: [
    figure('insight.day', 'Reasons and losses of 10,000 plants for one day', 's', most(60)),
    figure('insight.reads', 'Plant list meanwhile, p95', 'ms', most(100)),
    figure('insight.stall', 'Longest stall of the event loop meanwhile', 'ms', NO_STALL),
    figure('insight.devOps', 'Operations of 10,000 plants over 30 days, in any order, p95', 'ms', most(150)),
    figure('insight.attention', 'What needs attention of 10,000 plants, p95', 'ms'),
    figure('insight.evidence', 'Evidence of a plant and day with its neighbours, p95', 'ms'),
  ],
  commands: [
    figure('commands.confirmed.p50', '1,000 devices written at once, click to confirmed, p50', 's'),
    figure('commands.confirmed.p99', 'The same, p99', 's', most(10)),
    figure('commands.sent.p99', 'of which until it is sent, p99', 's'),
    figure('commands.lost', 'Commands that were not confirmed', 'commands', most(0)),
    figure('commands.twice', 'Commands that a device carried out more than once', 'commands', most(0)),
    figure('commands.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
  ],
  analysis: [
    figure('analysis.minutes', 'Day of 6 variables, a sample each minute, p95', 'ms', most(15)),
    figure('analysis.day', 'Day of 6 variables, a sample each 10 s, all of them sent, p95', 'ms'),
    figure('analysis.long', '15 days of 6 variables, a sample each 10 s, p95', 'ms'),
    figure('analysis.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
    figure('analysis.draw', '6 x 8,640 samples, answer to drawn, CPU x4', 'ms', most(300)),
    figure('analysis.click', '15 days of 6 variables, click to drawn', 'ms'),
    figure('analysis.click.slow', 'The same, CPU x4', 'ms'),
  ],
  timers: [
    figure('timers.plan', 'A plant that follows prices is planned for a day', 'ms'),
    figure('timers.plan.rows', 'The same: rows that PostgreSQL reads', 'rows', most(1_000)),
    figure('timers.plan.stall', 'Longest stall of the event loop meanwhile', 'ms', most(50)),
    figure('timers.look', '10,000 plans that go as expected are looked at, once an hour', 's', most(60)),
    figure('timers.look.rows', 'The same: rows that PostgreSQL reads for each', 'rows', most(20)),
    figure('timers.look.stall', 'Longest stall of the event loop meanwhile', 'ms', most(50)),
    figure(
      'timers.quiet.rows',
      'A round in which none of them is due: rows that PostgreSQL reads',
      'rows',
      most(2_000),
    ),
    figure('timers.groups.wave', '10 writes to 2,000 devices that are away: their first 500 orders', 's'),
    figure(
      'timers.groups.rows',
      'A round of those writes while they wait: rows that PostgreSQL reads',
      'rows',
      most(10_000),
    ),
    figure('timers.groups.stall', 'Longest stall of the event loop meanwhile', 'ms', most(50)),
    figure('timers.cores', 'Server with all of that waiting', '% of a core', most(3)),
    figure('timers.rows', 'The same: rows that PostgreSQL reads', 'rows/s', most(2_000)),
  ],
  incidents: [
    figure('incidents.list', 'List of 1,000,000 incidents, any view, order and filter, p95', 'ms', most(150)),
    figure('incidents.summary', 'How many there are of each kind, and what they cost, p95', 'ms', most(150)),
    figure('incidents.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
    figure('incidents.region', '100 of 10,000 plants lose the grid at once, until that is one incident', 's', most(10)),
    figure('incidents.region.list', 'List after it, p95', 'ms', most(100)),
    figure('incidents.region.stall', 'Longest stall of the event loop meanwhile', 'ms', NO_STALL),
  ],
  telling: [
    figure(
      'telling.storm',
      '1,000 incidents at once at as many of 10,000 plants, until all of them are told',
      's',
      most(30),
    ),
    figure(
      'telling.deliveries',
      'Deliveries that these make, to each of two receivers by each of two ways',
      '',
      most(6),
    ),
    figure('telling.unread', 'Unread messages of an account, p95', 'ms', most(50)),
    figure('telling.preview', 'What a rule would have told in 30 days, of all plants, p95', 'ms', most(500)),
    figure('telling.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
  ],
  'burn-in': [
    figure('burn-in.round', 'One judging of 20 runs with 200 units each, a sample each ten seconds', 's', most(5)),
    figure('burn-in.caught-up', 'The same where nobody judged for an hour', 's'),
    figure('burn-in.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
    figure('burn-in.board', 'Rack of 200 units, p95', 'ms', most(200)),
    figure('burn-in.certificate', 'Certificate of a unit, p95', 'ms', most(1_000)),
  ],
  reports: [
    figure(
      'reports.made',
      'Report of 15 days x 10 devices x 20 variables, a sample each minute, asked for to made',
      's',
      most(5),
    ),
    figure('reports.memory', 'Memory that it takes meanwhile', 'MiB', most(150)),
    figure('reports.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
    figure('reports.csv', 'The same as CSV, downloaded', 's'),
    figure('reports.xlsx', 'As XLSX', 's'),
    figure('reports.parquet', 'As Parquet', 's'),
    figure('reports.files.stall', 'Longest stall meanwhile', 'ms', NO_STALL),
    figure('reports.hundred', '100 reports asked for at once, until the last is made', 's'),
    figure('reports.hundred.wrong', 'Of these not made, or not in their order', 'reports', most(0)),
    figure('reports.reads', 'Reads of the portal meanwhile, p95', 'ms', most(100)),
    figure('reports.hundred.stall', 'Longest stall meanwhile', 'ms', NO_STALL),
  ],
  factory: [
    figure('factory.list', 'List of 1,000,000 delivered units, p95 of the worst order', 'ms', most(200)),
    figure('factory.filter', 'The same by filters, p95 of the worst', 'ms', most(500)),
    figure('factory.batches', 'Batches with their counts, 50 of 5,000 units each, p95', 'ms', most(500)),
    figure('factory.check', '100,000 serial numbers read and compared', 's', most(60)),
    figure('factory.import', 'The same imported', 's', most(25)),
    figure('factory.again', 'The same file again, read and compared', 's', most(60)),
    figure('factory.memory', 'Memory that it takes meanwhile', 'MiB', most(150)),
    figure('factory.stall', 'Longest stall of the event loop', 'ms', NO_STALL),
  ],
};

export const benchmarkNames = Object.keys(figures) as BenchmarkName[];

/** Whether a value meets the target of its figure; undefined where there is none. */
export function isMet({ target }: Figure, value: number): boolean | undefined {
  if (target === undefined) return undefined;
  return 'most' in target ? value <= target.most : value >= target.least;
}

export function targetText({ target }: Figure): string {
  if (target === undefined) return '';
  const limit = 'most' in target ? target.most : target.least;
  return `${'most' in target ? '≤' : '≥'} ${limit.toLocaleString('en')}`;
}
