export interface Degrees {
  readonly latitude: number;
  readonly longitude: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Beyond it the map of Mercator has no end. */
const LAST_LATITUDE = 85;
/** The least part of the world that is shown, as a share of its width. */
const NEAREST = 1 / 60;

const across = (longitude: number): number => (longitude + 180) / 360;

function down(latitude: number): number {
  const sine = Math.sin((Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, latitude)) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Where places lie in a picture that holds all of `shown` with a margin, in px. */
export function picturing(
  shown: readonly Degrees[],
  { width, height }: Size,
): (place: Degrees) => [x: number, y: number] {
  const xs = shown.map(({ longitude }) => across(longitude));
  const ys = shown.map(({ latitude }) => down(latitude));
  const [west, east, north, south] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [x, y] = [(west + east) / 2, (north + south) / 2];
  const span = 1.25 * Math.max(east - west, (south - north) * (width / height), NEAREST);
  const scale = width / span;
  return ({ latitude, longitude }) => [
    width / 2 + (across(longitude) - x) * scale,
    height / 2 + (down(latitude) - y) * scale,
  ];
}
