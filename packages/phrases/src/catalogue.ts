import type alarms from './alarms/en.json';
import type charts from './charts/en.json';
import type common from './common/en.json';
import type fleet from './fleet/en.json';
import type flow from './flow/en.json';
import type inverters from './inverters/en.json';
import type levels from './levels/en.json';
import type login from './login/en.json';
import type navigation from './navigation/en.json';
import type points from './points/en.json';
import type routes from './routes/en.json';
import type setup from './setup/en.json';
import type shell from './shell/en.json';
import type sites from './sites/en.json';
import type states from './states/en.json';

/** Texts by feature, typed from English. Keys of the web app are paths into it: `login.submit`. */
export interface Catalogue {
  alarms: typeof alarms;
  charts: typeof charts;
  common: typeof common;
  fleet: typeof fleet;
  flow: typeof flow;
  inverters: typeof inverters;
  levels: typeof levels;
  login: typeof login;
  navigation: typeof navigation;
  points: typeof points;
  routes: typeof routes;
  setup: typeof setup;
  shell: typeof shell;
  sites: typeof sites;
  states: typeof states;
}
