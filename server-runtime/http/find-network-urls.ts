import type { ServerOptions as HttpsOptions } from 'node:https';
import { networkInterfaces } from 'node:os';

/** The host, port and scheme of a server that listens. */
export interface ListenPlace {
  /** Undefined for every address of the machine. */
  readonly host: string | undefined;
  readonly port: number;
  readonly unix: string | undefined;
  readonly https: HttpsOptions | undefined;
}

/** The address at which this machine reaches the server: `http://localhost:3000`. */
export function toUrl({ host, port, unix, https }: ListenPlace): string {
  if (unix !== undefined) return `unix:${unix}`;
  const name = isEveryAddress(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${https === undefined ? 'http' : 'https'}://${name}:${port}`;
}

/** The addresses at which other machines reach a server that listens at every address, by IPv4 where they can; undefined for one that does not. */
export function findNetworkUrls(place: ListenPlace): readonly string[] | undefined {
  const { host, unix } = place;
  if (unix !== undefined || !isEveryAddress(host)) return undefined;
  const addresses = Object.values(networkInterfaces()).flatMap(
    (each) => each?.filter(({ internal }) => !internal) ?? [],
  );
  const version4 = addresses.filter(({ family }) => family === 'IPv4');
  // One that is local to a link is of use only with the name of an interface.
  const version6 = host === '0.0.0.0' ? [] : addresses.filter(({ address }) => !/^fe[89ab]/i.test(address));
  return (version4.length > 0 ? version4 : version6).map(({ address }) => toUrl({ ...place, host: address }));
}

function isEveryAddress(host: string | undefined): host is undefined | '0.0.0.0' | '::' {
  return host === undefined || host === '0.0.0.0' || host === '::';
}
