import { createServer } from 'node:net';
import { Aedes } from 'aedes';

const broker = await Aedes.createBroker({ concurrency: 0 });
const server = createServer((socket) => broker.handle(socket));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
process.once('disconnect', () => process.exit(0));
