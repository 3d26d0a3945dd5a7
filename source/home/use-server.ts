import { connect } from 'node:net';
import { useEffect, useState } from 'react';

/** How often it is looked whether a server is there, milliseconds. */
const LOOK_EVERY_MS = 2000;

/** Where the project's server answers, undefined while none does. */
export function useServer(port: number): string | undefined {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    const look = (): void => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.setTimeout(LOOK_EVERY_MS, () => socket.destroy(new Error('too slow')));
      socket.once('connect', () => {
        setIsThere(true);
        socket.destroy();
      });
      socket.once('error', () => setIsThere(false));
    };
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [port]);
  return isThere ? `http://localhost:${port}` : undefined;
}
