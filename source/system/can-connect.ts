import { connect } from 'node:net';

/** The time that a server has to take a connection, milliseconds. */
const CONNECT_MS = 1000;

/** Whether something takes a connection at the address of a URL. Nothing is sent to it. */
export function canConnect(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: CONNECT_MS,
    });
    const end = (isThere: boolean) => (): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
