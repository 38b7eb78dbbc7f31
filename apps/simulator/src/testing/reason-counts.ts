import type { ReasonKind } from '@sonnenwarte/energy/insight/reasons';
import { Block } from './block.ts';
import { faultCases, isRight, type Season, seasons, settingOf, snowy } from './fault-cases.ts';

/** What was said first, by how often; `none` = nothing. */
export type Said = Partial<Record<ReasonKind | 'none', number>>;

export interface FaultCount {
  name: string;
  runs: number;
  right: number;
  /** What was said first where it was wrong. */
  wrong: Said;
  wrongSeeds: number[];
  /** Energies of all runs, Wh. Nought where what it cost is not to be known. */
  toldWh: number;
  trueWh: number;
  expectedWh: number;
}

export interface HealthyCount {
  season: Season;
  weeks: number;
  /** Weeks with any reason. */
  wrong: number;
  /** Reasons given in them. */
  said: Said;
  wrongSeeds: number[];
}

/** Both directions: what is said of plants with a fault, and of plants that are well. */
export interface ReasonCounts {
  faults: FaultCount[];
  healthy: HealthyCount[];
}

const HEALTHY_WEEKS_EACH = 2;

const noCounts = (): ReasonCounts => ({
  faults: faultCases.map(({ name }) => ({
    name,
    runs: 0,
    right: 0,
    wrong: {},
    wrongSeeds: [],
    toldWh: 0,
    trueWh: 0,
    expectedWh: 0,
  })),
  healthy: seasons.map((season) => ({ season, weeks: 0, wrong: 0, said: {}, wrongSeeds: [] })),
});

const count = (said: Said, kind: ReasonKind | 'none', by = 1): void => {
  said[kind] = (said[kind] ?? 0) + by;
};

/** Runs every fault once with each seed, and weeks of healthy plants beside them; one neighbourhood is held at a time. */
export function countReasons(seeds: readonly number[]): ReasonCounts {
  const counts = noCounts();
  for (const seed of seeds) {
    const blocks = { own: new Block(seed, settingOf(seed)), snowy: new Block(seed, snowy) };
    faultCases.forEach((each, place) => {
      const { week, trueWh } = blocks[each.setting === undefined ? 'own' : 'snowy'].run(each);
      const row = counts.faults[place] as FaultCount;
      row.runs += 1;
      if (isRight(each, week.loss, trueWh)) row.right += 1;
      else {
        count(row.wrong, week.loss.reason?.latest.kind ?? 'none');
        row.wrongSeeds.push(seed);
      }
      if (each.isCostUnknown) return;
      row.toldWh += week.loss.lossWh ?? 0;
      row.trueWh += trueWh;
      row.expectedWh += week.loss.expectedWh ?? 0;
    });
    for (const [block, season] of [
      [blocks.own, settingOf(seed).season],
      [blocks.snowy, snowy.season],
    ] as const) {
      const row = counts.healthy[seasons.indexOf(season)] as HealthyCount;
      for (const { loss } of block.healthyWeeks(HEALTHY_WEEKS_EACH)) {
        row.weeks += 1;
        for (const { latest } of loss.reasons) count(row.said, latest.kind);
        if (loss.reasons.length === 0) continue;
        row.wrong += 1;
        row.wrongSeeds.push(seed);
      }
    }
  }
  return counts;
}

const added = (a: Said, b: Said): Said => {
  const sum = { ...a };
  for (const [kind, times] of Object.entries(b)) count(sum, kind as ReasonKind | 'none', times);
  return sum;
};

/** Counts of different seeds together. */
export function joined(parts: readonly ReasonCounts[]): ReasonCounts {
  return parts.reduce(
    (a, b): ReasonCounts => ({
      faults: a.faults.map((row, place) => {
        const other = b.faults[place] as FaultCount;
        return {
          name: row.name,
          runs: row.runs + other.runs,
          right: row.right + other.right,
          wrong: added(row.wrong, other.wrong),
          wrongSeeds: [...row.wrongSeeds, ...other.wrongSeeds],
          toldWh: row.toldWh + other.toldWh,
          trueWh: row.trueWh + other.trueWh,
          expectedWh: row.expectedWh + other.expectedWh,
        };
      }),
      healthy: a.healthy.map((row, place) => {
        const other = b.healthy[place] as HealthyCount;
        return {
          season: row.season,
          weeks: row.weeks + other.weeks,
          wrong: row.wrong + other.wrong,
          said: added(row.said, other.said),
          wrongSeeds: [...row.wrongSeeds, ...other.wrongSeeds],
        };
      }),
    }),
    noCounts(),
  );
}
