import {
  createServer,
  restTransport,
  type Server,
  silentLogger,
} from '../../server-runtime/index.ts';
import { shop, shopContext, shopOverrides } from './shop.ts';

/** The shop on a free port of this machine. Stop it after the test. */
export async function startShop(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer({
    context: shopContext,
    capabilities: shop,
    transports: [restTransport({ port: 0, host: '127.0.0.1', overrides: shopOverrides })],
    logger: silentLogger,
  });
  const [rest] = await server.start();
  if (rest?.url === undefined) throw new Error('The transport gave no url.');
  return { url: rest.url, server };
}
