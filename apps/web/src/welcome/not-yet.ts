import type { FlowNode, SiteLive } from '@sonnenwarte/contract/sites/site';

const node: FlowNode = { powerW: null, online: false, derived: false, deviceID: null, sn: null };

/** A plant as most are built, of which nothing is measured. */
export const notYet: SiteLive = {
  stationID: '',
  name: '',
  state: 'offline',
  status: 3,
  asOfMs: null,
  intervalS: 60,
  pv: node,
  external: null,
  battery: { ...node, socPercent: null, capacityWh: null },
  inverter: { ...node, workMode: null, count: 1 },
  gateway: null,
  grid: node,
  load: node,
  charger: null,
  todayWh: null,
  todayQuality: 'measured',
  historyPercent: null,
  recalculating: false,
};
