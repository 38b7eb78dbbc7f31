import { readFileSync } from 'node:fs';
import net from 'node:net';
import packet from 'mqtt-packet';
import { encodePayload } from '@sonnenwarte/device-protocol/sparkplug-payload';
import { pointsOf } from '@sonnenwarte/device-protocol/points';
const sns: string[] = JSON.parse(readFileSync('/tmp/ingest/sns.json', 'utf8'));
const rate = Number(process.argv[2] ?? 20000); const seconds = Number(process.argv[3] ?? 15); const qos = Number(process.argv[4] ?? 0);
const devicesPer = Number(process.argv[5] ?? 4);
const points = pointsOf.inverter.filter((p) => p.unit !== 'text').slice(0, 60);
const conns = await Promise.all(sns.map((sn) => new Promise<any>((ok) => {
  const s = net.connect(18100, '127.0.0.1'); const parser = packet.parser({ protocolVersion: 4 });
  s.on('data', (d) => parser.parse(d)); s.on('error', (e) => console.log(sn, e.message)); s.on('close', () => { closed += 1; });
  s.write(packet.generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, clientId: sn, keepalive: 60, username: sn, password: Buffer.from('correct-horse-battery-staple') } as any));
  const c = { sn, s, seq: 0, id: 0, acked: 0, sent: 0 }; 
  parser.on('packet', (p: any) => { if (p.cmd === 'connack') ok(c); else if (p.cmd === 'puback') { c.acked += 1; lat.push(performance.now() - (times.get(`${sn}${p.messageId}`) ?? 0)); } });
})));
let closed = 0; const lat: number[] = []; const times = new Map<string, number>();
function pub(c: any, type: string, dev: string | undefined, payload: any, q = qos) {
  payload.seq = c.seq; c.seq = (c.seq + 1) & 255;
  c.id = (c.id % 65535) + 1; c.sent += 1;
  if (q > 0) times.set(`${c.sn}${c.id}`, performance.now());
  c.s.write(packet.generate({ cmd: 'publish', topic: `spBv1.0/solar/${type}/${c.sn}${dev ? `/${dev}` : ''}`, payload: Buffer.from(payload.bytes ?? encodePayload(payload)), qos: q, messageId: c.id } as any));
}
for (const c of conns) { pub(c, 'NBIRTH', undefined, { timestampMs: Date.now(), metrics: [] }, 0);
  for (let d = 0; d < devicesPer; d += 1) pub(c, 'DBIRTH', `I${c.sn}-${d}`, { timestampMs: Date.now(), metrics: [{ name: 'Properties/Kind', datatype: 12, value: 'inverter' }, ...points.map((p, i) => ({ name: p.name, alias: i, datatype: p.datatype, value: p.datatype === 11 ? true : 1 }))] }, 0); }
await new Promise((r) => setTimeout(r, 2000));
console.log('start', conns.length, 'conns');
let total = 0; const start = performance.now(); let ts = Date.now();
while (performance.now() - start < seconds * 1000) {
  const due = Math.min(rate * (performance.now() - start) / 1000, total + 4000);
  while (total < due) {
    const c = conns[total % conns.length]; const d = Math.floor(total / conns.length) % devicesPer;
    if (d === 0 && total % conns.length === 0) ts += 1;
    const v = total % 1000;
    pub(c, 'DDATA', `I${c.sn}-${d}`, { timestampMs: ts, metrics: points.map((p, i) => ({ alias: i, datatype: p.datatype, value: p.datatype === 11 ? true : p.datatype === 9 || p.datatype === 10 ? v + i * 0.37 : v })) });
    total += 1;
  }
  await new Promise((r) => setTimeout(r, 5));
}
console.log('sent', total, 'in', ((performance.now() - start) / 1000).toFixed(1), 's', Math.round(total / (performance.now() - start) * 1000), '/s closed', closed);
await new Promise((r) => setTimeout(r, 3000));
if (qos > 0) { lat.sort((a, b) => a - b); console.log('acked', lat.length, 'p50', lat[lat.length >> 1], 'p99', lat[Math.floor(lat.length * 0.99)]); }
process.exit(0);
