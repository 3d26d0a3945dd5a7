import { Server } from 'node:net';

/** Tells `onListening` of every TCP port that code of this process opens by itself. Has no effect on the servers. */
export function observePorts(onListening: (port: number) => void): void {
  const { listen } = Server.prototype;
  Server.prototype.listen = function observed(this: Server, ...args: unknown[]): Server {
    this.once('listening', () => {
      const address = this.address();
      if (typeof address === 'object' && address !== null) onListening(address.port);
    });
    return (listen as (...args: unknown[]) => Server).apply(this, args);
  } as typeof listen;
}
