/** What a hostile logger of the benchmark does, and how it is named in the table. */
export const hostileKinds = {
  qos0: 'data at full speed, QoS 0',
  qos1: 'data at full speed, QoS 1',
  births: 'births at full speed',
  bombs: 'compressed bombs of 64 MiB',
  large: 'messages of 250 kB with 900 samples',
  names: 'ever new names, 400 a message',
  devices: 'ever new devices',
  junk: 'broken and deeply nested JSON',
  knocking: 'wrong passwords on 32 sockets',
  loitering: '500 sockets that say half a CONNECT or nothing',
} as const;

export type HostileKind = keyof typeof hostileKinds;

export const hostileKindNames = Object.keys(hostileKinds) as HostileKind[];

export interface HostileOptions {
  host: string;
  port: number;
  sn: string;
  kind: HostileKind;
  seconds: number;
}

export interface HostileStats {
  sent: number;
  acknowledged: number;
  refused: number;
  closed: number;
}
