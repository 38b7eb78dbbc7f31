import type { PlaceBounds, Ranking } from '@sonnenwarte/contract/sites/site-places';
import Supercluster from 'supercluster';
import { countsOf, type Marks, type Rank, ranks, worstOf } from './marks.ts';

/** What is drawn as one: a plant, several that the server has put together, or several marks that lie near each other. */
export interface Spot {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  /** Plants by rank, the worst first. */
  readonly counts: readonly number[];
  readonly worst: Rank;
  /** The mark, where it is one. */
  readonly mark: number | undefined;
  /** Names a cluster to `Clusters`. */
  readonly cluster: number | undefined;
}

interface Point {
  readonly mark: number;
}

/** What a cluster has counted: plants by rank. */
type Counted = Record<`n${Rank}`, number>;

const RADIUS_PX = 56;
/** Beyond this zoom plants lie apart, unless they are in one place. */
const LAST_CLUSTERED_ZOOM = 16;

export interface Clusters {
  /** What is drawn of bounds at a zoom. */
  spots(bounds: PlaceBounds, zoom: number): Spot[];
  /** The zoom at which a cluster falls apart; none where its marks are in one place. */
  partsAt(cluster: number): number | undefined;
  /** The first marks of a cluster. */
  marksOf(cluster: number, most: number): number[];
}

/** Marks by place, so that a view costs what it shows and not what there is. */
export function clustersOf(marks: Marks, by: Ranking): Clusters {
  const index = new Supercluster<Point, Counted>({
    radius: RADIUS_PX,
    extent: 256,
    maxZoom: LAST_CLUSTERED_ZOOM,
    map: ({ mark }) => {
      const [n0 = 0, n1 = 0, n2 = 0, n3 = 0] = countsOf(marks, by, mark);
      return { n0, n1, n2, n3 };
    },
    reduce: (sum, each) => {
      for (const rank of ranks) sum[`n${rank}`] += each[`n${rank}`];
    },
  });
  index.load(
    Array.from({ length: marks.count }, (_, mark) => ({
      type: 'Feature' as const,
      properties: { mark },
      geometry: { type: 'Point' as const, coordinates: [marks.longitudes[mark] ?? 0, marks.latitudes[mark] ?? 0] },
    })),
  );
  return {
    spots({ west, south, east, north }, zoom) {
      return index.getClusters([west, south, east, north], Math.round(zoom)).map(({ geometry, properties }): Spot => {
        const [longitude = 0, latitude = 0] = geometry.coordinates;
        const isCluster = 'cluster' in properties;
        const counts = isCluster ? ranks.map((rank) => properties[`n${rank}`]) : countsOf(marks, by, properties.mark);
        return {
          latitude,
          longitude,
          count: counts.reduce((sum, each) => sum + each, 0),
          counts,
          worst: worstOf(counts),
          mark: isCluster ? undefined : properties.mark,
          cluster: isCluster ? properties.cluster_id : undefined,
        };
      });
    },
    partsAt(cluster) {
      const zoom = index.getClusterExpansionZoom(cluster);
      return zoom > LAST_CLUSTERED_ZOOM ? undefined : zoom;
    },
    marksOf: (cluster, most) => index.getLeaves(cluster, most).map(({ properties }) => properties.mark),
  };
}
