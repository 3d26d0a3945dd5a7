import { createServer } from 'node:net';

/** Below the ports that systems give to whoever asks for any, so that nobody gets it in between. */
const FIRST = 20_000;
const COUNT = 12_000;

/** A port of this machine at which nothing listens. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isOpen = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, () => resolve(true));
  });
  const wasFree = await isOpen;
  if (wasFree) await new Promise((resolve) => server.close(resolve));
  return wasFree;
}
