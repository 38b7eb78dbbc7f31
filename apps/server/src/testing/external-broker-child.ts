import { createServer } from 'node:net';
import { Aedes } from 'aedes';

const broker = await Aedes.createBroker({
  concurrency: 0,
  // Aedes knows no shared subscriptions; with one reader they are plain ones.
  authorizeSubscribe(_client, subscription, done) {
    done(null, { ...subscription, topic: subscription.topic.replace(/^\$share\/[^/]+\//, '') });
  },
});
const server = createServer((socket) => broker.handle(socket));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
process.once('disconnect', () => process.exit(0));
