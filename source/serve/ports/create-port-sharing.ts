import type { Server } from 'node:net';
import type { ListenInterceptor, SharedPort } from '../../patches/intercept-listen.ts';
import type { ParentChannel } from '../../system/child/parent-channel.ts';
import type { LinkedServer } from '../linked-server.ts';
import { type AddressName, type AskedAddress, type ServerMessage, toAddressName } from '../server-message.ts';
import { toSystemError, toTakenError } from './port-error.ts';

export interface PortSharingOptions {
  readonly servers: Map<AddressName, LinkedServer>;
  /** Asks the supervisor for the connections of an address. */
  readonly ask: (server: Server, address: AskedAddress, port: SharedPort) => LinkedServer;
  readonly channel: ParentChannel<ServerMessage>;
}

/** Gives servers that the code opens by itself ports of the supervisor. */
export function createPortSharing({ servers, ask, channel }: PortSharingOptions): ListenInterceptor['share'] {
  return (server, asked, port) => {
    const address: AskedAddress = { ...asked, isOwn: true };
    const name = toAddressName(address);
    if (servers.has(name)) {
      // As the system would: a port is open once. It is told when the hold is known.
      process.nextTick(() => port.refused(toSystemError(toTakenError(asked))));
      return { ref: () => {}, unref: () => {}, close: () => {} };
    }
    const linked = ask(server, address, port);
    let release: (() => void) | undefined = linked.release;
    const unref = (): void => {
      release?.();
      release = undefined;
    };
    const close = (): void => {
      unref();
      if (servers.get(name) !== linked) return;
      servers.delete(name);
      void channel.send({ kind: 'close', address: name });
    };
    return { ref: () => void (release ??= channel.hold()), unref, close };
  };
}
