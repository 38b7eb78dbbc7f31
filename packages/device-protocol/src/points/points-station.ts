import { declarePoints } from './point-declaration.ts';

/** Points of a weather station on site. */
export const stationPoints = declarePoints('station', [
  ['Env/Irradiance', 'W/m2', 'Irradiance in the plane of the modules'],
  ['Env/ModuleTemp', 'degC', 'Temperature of the modules'],
  ['Env/AmbientTemp', 'degC', 'Temperature of the air'],
  ['Env/WindSpeed', 'm/s', 'Wind speed'],
]);
