import { describe, expect, it } from 'vitest';
import {
  capability,
  cors,
  createServer,
  definePlugin,
  restTransport,
  type ServerOptions,
  toFetchHandler,
} from '../../../server-runtime/index.ts';
import { mcpTransport } from '../../../server-runtime/mcp/index.ts';
import { testServer } from '../../../server-runtime/testing/test-server.ts';
import { recordLog } from '../../helpers/start-rest.ts';

const users = { listUsers: capability(() => []) };

describe('an option that there is not', () => {
  it.each<[string, () => unknown]>([
    [
      'createServer has no option `capabilites`. Did you mean `capabilities`?',
      () => createServer(spelt('capabilites')),
    ],
    [
      'createServer({hooks}) has no option `onRespnse`. Did you mean `onResponse`?',
      () => createServer({ hooks: spelt('onRespnse') }),
    ],
    [
      'restTransport has no option `urlcase`. Did you mean `urlCase`?',
      () => restTransport(spelt('urlcase')),
    ],
    [
      'restTransport has no option `toString`. Known are port, host, unix,',
      () => restTransport(spelt('toString')),
    ],
    [
      'restTransport({cors}) has no option `origins`. Did you mean `origin`?',
      () => restTransport({ cors: spelt('origins') }),
    ],
    [
      'restTransport({multipart}) has no option `maxFilesize`. Did you mean `maxFileSize`?',
      () => restTransport({ multipart: spelt('maxFilesize') }),
    ],
    [
      'restTransport({docs}) has no option `discription`. Did you mean `description`?',
      () => restTransport({ docs: spelt('discription') }),
    ],
    [
      'restTransport has no option `urlcase`. Did you mean `urlCase`?',
      () => toFetchHandler(createServer({}), spelt('urlcase')),
    ],
    [
      'restTransport({cors}) has no option `credentails`. Did you mean `credentials`?',
      () => restTransport(cors(spelt('credentails'))),
    ],
    [
      'mcpTransport has no option `allowedHost`. Did you mean `allowedHosts`?',
      () => mcpTransport(spelt('allowedHost')),
    ],
    [
      'mcpTransport({stdio}) has no option `inputs`. Did you mean `input`?',
      () => mcpTransport({ stdio: spelt('inputs') }),
    ],
    ['definePlugin has no option `hook`. Did you mean `hooks`?', () => definePlugin(spelt('hook'))],
    [
      'definePlugin({hooks}) has no option `onerror`. Did you mean `onError`?',
      () => definePlugin({ hooks: spelt('onerror') }),
    ],
    [
      'restTransport({cors}) has no option `0`.',
      () => restTransport(cors(['https://app.example'] as never)),
    ],
    [
      'createServer: expected an object of options, got a string.',
      () => createServer('server' as never),
    ],
    ['restTransport: expected an object of options, got null.', () => restTransport(null as never)],
  ])('is an error where it is written: %s', (message, make) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it('rejects testServer', async () => {
    await expect(testServer(spelt('contxt'))).rejects.toThrow(
      'testServer has no option `contxt`. Did you mean `context`?',
    );
    await expect(testServer({ rest: spelt('overides') })).rejects.toThrow(
      'Did you mean `overrides`?',
    );
  });

  it('is none of those that a class or a prototype brings', () => {
    class Options {
      readonly capabilities = { users };
      describe(): string {
        return 'of a class';
      }
    }
    expect(createServer(new Options()).registry.operations).toHaveLength(1);
    expect(restTransport({ port: undefined, ...cors() }).name).toBe('rest');
  });
});

describe('a server without capabilities', () => {
  const start = async (options: ServerOptions): Promise<readonly string[]> => {
    const log = recordLog();
    const server = createServer({ ...options, logger: log });
    await server.start();
    await server.stop({ graceMs: 0 });
    return log.warnings;
  };
  const rest = () => restTransport({ port: 0, host: '127.0.0.1' });
  const warning = [
    expect.stringMatching(
      /^\[capix\] The server has no capabilities\. Give createServer groups of what/,
    ),
  ];

  it.each<[string, ServerOptions]>([
    ['that was given none', { transports: [rest()] }],
    ['that has no transport either', {}],
    [
      'that was given what holds none',
      { capabilities: { users: { listUsers: () => [] } } as never, transports: [rest()] },
    ],
    [
      'whose transport has none of its own',
      { transports: [restTransport({ port: 0, capabilities: {} })] },
    ],
  ])('says so at start, one %s', async (_what, options) => {
    expect(await start(options)).toEqual(warning);
  });

  it.each<[string, ServerOptions]>([
    ['the application', { capabilities: { users } }],
    ['a plugin', { plugins: [definePlugin({ capabilities: { users } })], transports: [rest()] }],
    ['a transport', { transports: [rest(), restTransport({ port: 0, capabilities: { users } })] }],
  ])('is none that has them of %s', async (_whose, options) => {
    expect(await start(options)).toEqual([]);
  });
});

/** Options as JavaScript, or a spread, may bring them. */
function spelt(name: string): object {
  return { [name]: {} };
}
