import { Server } from 'node:net';

/** Tells `onListening` of every server of this process that listens by itself, with its TCP port where it has one. Changes nothing for the servers. */
export function observePorts(onListening: (port: number | undefined) => void): void {
  const { listen } = Server.prototype;
  Server.prototype.listen = function observed(this: Server, ...args: unknown[]): Server {
    this.once('listening', () => {
      const address = this.address();
      onListening(typeof address === 'object' ? address?.port : undefined);
    });
    return (listen as (...args: unknown[]) => Server).apply(this, args);
  } as typeof listen;
}
