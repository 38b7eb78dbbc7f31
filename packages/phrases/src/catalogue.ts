import type charts from './charts/en.json' with { type: 'json' };
import type common from './common/en.json' with { type: 'json' };
import type fleet from './fleet/en.json' with { type: 'json' };
import type flow from './flow/en.json' with { type: 'json' };
import type inverters from './inverters/en.json' with { type: 'json' };
import type levels from './levels/en.json' with { type: 'json' };
import type login from './login/en.json' with { type: 'json' };
import type navigation from './navigation/en.json' with { type: 'json' };
import type routes from './routes/en.json' with { type: 'json' };
import type setup from './setup/en.json' with { type: 'json' };
import type shell from './shell/en.json' with { type: 'json' };
import type sites from './sites/en.json' with { type: 'json' };
import type states from './states/en.json' with { type: 'json' };

/** Texts by feature, typed from English. Keys of the web app are paths into it: `login.submit`. */
export interface Catalogue {
  charts: typeof charts;
  common: typeof common;
  fleet: typeof fleet;
  flow: typeof flow;
  inverters: typeof inverters;
  levels: typeof levels;
  login: typeof login;
  navigation: typeof navigation;
  routes: typeof routes;
  setup: typeof setup;
  shell: typeof shell;
  sites: typeof sites;
  states: typeof states;
}
