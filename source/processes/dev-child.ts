import { createChildLink } from './child-link.ts';
import { type Environment, toThrownError } from './dev-messages.ts';
import { observePorts } from './observe-ports.ts';
import { connectToParent } from './parent-channel.ts';

// The process that runs the user's server under `capix dev`. It boots early and waits for what it is to load. Its argument is the file
// that the user's code should see itself started as.

process.setSourceMapsEnabled(true);
process.argv.splice(1, 1);

const channel = connectToParent();
const release = channel.hold();
const { link, opened, connect, drain } = createChildLink(channel);
Object.assign(globalThis, { [Symbol.for('capix.devLink')]: link });
observePorts((port) => void channel.send({ kind: 'listening', port }));
process.on('uncaughtExceptionMonitor', (thrown) => void channel.send({ kind: 'failed', during: 'run', error: toThrownError(thrown) }));

channel.onMessage((message, socket) => {
  switch (message.kind) {
    case 'warm':
      return void Promise.allSettled(message.modules.map((url) => import(url)));
    case 'load':
      return void load(message);
    case 'opened':
      return opened(message.address, message.port);
    case 'connection':
      return socket && connect(message.address, socket);
    case 'drain':
      return void drain(message.ports).then(() => channel.send({ kind: 'drained' }));
  }
});

async function load({ url, environment }: { readonly url: string; readonly environment: Environment }): Promise<void> {
  Object.assign(process.env, environment);
  try {
    await import(url);
  } catch (thrown) {
    await channel.send({ kind: 'failed', during: 'load', error: toThrownError(thrown) });
    process.exit(1);
  }
  // From here on the process lives as long as the user's code has something open, as it would by itself.
  release();
}
