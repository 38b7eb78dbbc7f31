import { placedStates } from '@sonnenwarte/contract/sites/site-places';
import type { State } from '@sonnenwarte/contract/status';
import Supercluster from 'supercluster';
import type { Bounds, Places } from './places.ts';

/** Plants that are drawn as one. */
export interface Spot {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  /** Plants by state, the worst state first. */
  readonly counts: readonly number[];
  readonly worst: State;
  /** The plant, where it is one. */
  readonly plant: number | undefined;
  /** Names a cluster to `Clusters`. */
  readonly cluster: number | undefined;
}

interface PlantPoint {
  readonly plant: number;
}

/** What a cluster has counted: plants by rank of their state. */
type Counted = Record<`n${0 | 1 | 2 | 3}`, number>;

const RADIUS_PX = 56;
/** Beyond this zoom plants lie apart, unless they are in one place. */
const LAST_CLUSTERED_ZOOM = 16;
const ranks = [0, 1, 2, 3] as const;

export interface Clusters {
  /** What is drawn of bounds at a zoom. */
  spots(bounds: Bounds, zoom: number): Spot[];
  /** The zoom at which a cluster falls apart; none where its plants are in one place. */
  partsAt(cluster: number): number | undefined;
  /** The first plants of a cluster. */
  plantsOf(cluster: number, most: number): number[];
}

/** Plants by place, so that a view costs what it shows and not what there is. */
export function clustersOf(places: Places): Clusters {
  const index = new Supercluster<PlantPoint, Counted>({
    radius: RADIUS_PX,
    extent: 256,
    maxZoom: LAST_CLUSTERED_ZOOM,
    map: ({ plant }) => {
      const rank = places.ranks[plant];
      return { n0: Number(rank === 0), n1: Number(rank === 1), n2: Number(rank === 2), n3: Number(rank === 3) };
    },
    reduce: (sum, each) => {
      for (const rank of ranks) sum[`n${rank}`] += each[`n${rank}`];
    },
  });
  index.load(
    Array.from({ length: places.count }, (_, plant) => ({
      type: 'Feature' as const,
      properties: { plant },
      geometry: { type: 'Point' as const, coordinates: [places.longitudes[plant] ?? 0, places.latitudes[plant] ?? 0] },
    })),
  );
  return {
    spots({ west, south, east, north }, zoom) {
      return index.getClusters([west, south, east, north], Math.round(zoom)).map(({ geometry, properties }): Spot => {
        const [longitude = 0, latitude = 0] = geometry.coordinates;
        if (!('cluster' in properties)) {
          const rank = places.ranks[properties.plant] ?? 3;
          const counts = ranks.map((each) => Number(each === rank));
          return {
            latitude,
            longitude,
            count: 1,
            counts,
            worst: placedStates[rank] ?? 'normal',
            plant: properties.plant,
            cluster: undefined,
          };
        }
        const counts = ranks.map((rank) => properties[`n${rank}`]);
        const worst = placedStates[counts.findIndex((count) => count > 0)] ?? 'normal';
        return {
          latitude,
          longitude,
          count: properties.point_count,
          counts,
          worst,
          plant: undefined,
          cluster: properties.cluster_id,
        };
      });
    },
    partsAt(cluster) {
      const zoom = index.getClusterExpansionZoom(cluster);
      return zoom > LAST_CLUSTERED_ZOOM ? undefined : zoom;
    },
    plantsOf: (cluster, most) => index.getLeaves(cluster, most).map(({ properties }) => properties.plant),
  };
}
