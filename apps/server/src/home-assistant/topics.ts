/** Home Assistant's prefix of discovery; it can be changed there, and is not known here then. */
const DISCOVERY = 'homeassistant';
const STATES = 'pv/out';

/** Where a Home Assistant says that it has started. */
export const STATUS_TOPIC = `${DISCOVERY}/status`;

/** `pv/out/{user}`, with the signs that topics give a meaning written as in an address. */
const statesOf = (username: string): string => `${STATES}/${encodeURIComponent(username)}`;

/** Where a device is announced, as Home Assistant's discovery by device asks for it. */
export const discoveryTopic = (sn: string): string => `${DISCOVERY}/device/${sn}/config`;

export const isDiscoveryTopic = (topic: string): boolean => topic.startsWith(`${DISCOVERY}/`);

/** `pv/out/{user}/{sn}/{variable}`. */
export const valueTopic = (username: string, sn: string, variable: string): string =>
  `${statesOf(username)}/${sn}/${variable}`;

export const availabilityTopic = (username: string, sn: string): string => valueTopic(username, sn, 'availability');

/** Whether a topic is none of the dataloggers' but one of those that an account is told by the portal itself. */
export const isToldTopic = (topic: string): boolean => isDiscoveryTopic(topic) || topic.startsWith(`${STATES}/`);

/** Whether a filter matches nothing but what this account is told: its levels up to the user name have no wildcard. */
export function isOfAccount(username: string, filter: string): boolean {
  return filter.startsWith(`${DISCOVERY}/`) || filter.startsWith(`${statesOf(username)}/`);
}

export const hasWildcard = (filter: string): boolean => filter.includes('+') || filter.includes('#');

/** Whether a well-formed filter matches a topic, as MQTT 3.1.1 has it. */
export function matches(filter: string, topic: string): boolean {
  const wanted = filter.split('/');
  const levels = topic.split('/');
  for (let at = 0; at < wanted.length; at += 1) {
    if (wanted[at] === '#') return true;
    if (at >= levels.length || (wanted[at] !== '+' && wanted[at] !== levels[at])) return false;
  }
  return wanted.length === levels.length;
}
