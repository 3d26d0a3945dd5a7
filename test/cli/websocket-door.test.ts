import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FixtureProject, openProject } from '../helpers/fixture-project.ts';
import { packageRoot } from '../helpers/run-capix.ts';

const capabilities = (transport: string, more = ''): string => `
import * as z from 'zod';
import { capability, defineGuard } from 'capix';
import { webSocketTransport } from 'capix/websocket';

const mustBeUser = defineGuard(() => {}, { security: { type: 'http', scheme: 'bearer' } });
export const restOptions = { prefix: '/api' };
export const sockets = webSocketTransport(${transport});
export const capabilities = {
  items: { getItem: capability(z.object({ id: z.string() }), ({ id }) => ({ id })), ${more} },
};
export const guards = [mustBeUser];
`;

async function open(transport = '', more = ''): Promise<FixtureProject> {
  const project = await openProject({
    'src/capabilities.ts': capabilities(transport, more),
    'package.json': '{ "name": "demo", "type": "module", "capix": "src/capabilities.ts" }',
  });
  await symlink(join(packageRoot, 'node_modules/ws'), join(project.root, 'node_modules/ws'));
  return project;
}

/** The `data` of a command with `--json`. */
async function read(
  { ask }: Pick<FixtureProject, 'ask'>,
  ...args: readonly string[]
): Promise<never> {
  const { stdout } = await ask([...args, '--json']);
  return (JSON.parse(stdout) as { readonly data: never }).data;
}

describe('a WebSocket that a project exports', () => {
  it('is named by show: its path, the method of the call, the subprotocol, and a command', async () => {
    const project = await open();
    const { stdout } = await project.ask(['show', 'items.getItem', '--plain']);
    expect(stdout).toMatch(
      /WebSocket +\/api\/_call, method `items.getItem`, subprotocol capix\.v1;\s+`capix call items\.getItem --server --ws`/,
    );
    expect(await read(project, 'show', 'items.getItem')).toMatchObject({
      webSockets: [
        { path: '/api/_call', protocols: ['capix.v1', 'capix.v1.flat'], method: 'items.getItem' },
      ],
    });
  });

  it('is named by the document, with its credentials and the limits that callers notice', async () => {
    const project = await open('{ guards: [mustBeUser], limits: { calls: 5, idleMs: 1000 } }');
    const { stdout } = await project.ask(['openapi']);
    expect(JSON.parse(stdout)).toMatchObject({
      'x-websockets': [
        {
          path: '/api/_call',
          protocols: ['capix.v1', 'capix.v1.flat'],
          security: [{ type: 'http', scheme: 'bearer' }],
          limits: { maxMessageSize: 1_048_576, calls: 5, idleMs: 1000 },
        },
      ],
    });
  });

  it('is compared by diff, with a class for each setting, for callers over HTTP and clients', async () => {
    const project = await open();
    const before = (await project.ask(['openapi'])).stdout;
    await project.write('before.json', before);
    const changesOf = async (transport: string): Promise<unknown[]> => {
      await project.write('src/capabilities.ts', capabilities(transport));
      const { server } = (await read(project, 'diff', 'before.json')) as {
        readonly server: readonly Record<string, unknown>[];
      };
      return server.map(({ rule, class: kind, message, audience }) => [
        rule,
        kind,
        message,
        audience,
      ]);
    };
    const callers = ['http', 'client'];
    expect(await changesOf('')).toEqual([]);
    expect(
      await changesOf('{ guards: [mustBeUser], limits: { calls: 5, maxMessageSize: 2e6 } }'),
    ).toEqual([
      [
        'websocket-security-changed',
        'breaking',
        'credentials of the WebSocket at `/api/_call` is bearer, it was none',
        callers,
      ],
      [
        'websocket-limit-changed',
        'risky',
        '`calls` of the WebSocket at `/api/_call` is 5, it was 100',
        callers,
      ],
      [
        'websocket-limit-changed',
        'safe',
        '`maxMessageSize` of the WebSocket at `/api/_call` is 2000000, it was 1048576',
        callers,
      ],
    ]);
    expect(await changesOf("{ path: '/live' }")).toEqual([
      ['websocket-removed', 'breaking', 'the WebSocket at `/api/_call` was removed', callers],
      ['websocket-added', 'safe', 'the WebSocket at `/api/live` was added', callers],
    ]);
  });

  it('is checked: two at one path, a route that it hides, and the package ws', async () => {
    const hidden = "getCall: capability(() => 1).route('GET', '/api/_call')";
    const project = await open('', hidden.replace('/api', ''));
    const copy = '\nexport const again = webSocketTransport();\n';
    await project.write('src/capabilities.ts', capabilities('', hidden.replace('/api', '')) + copy);
    const { problems } = (await read(project, 'check')) as {
      readonly problems: readonly Record<string, unknown>[];
    };
    expect(problems.map(({ code, message }) => [code, message])).toEqual(
      expect.arrayContaining([
        [
          'websocket-path',
          'Two `webSocketTransport` have the path `/api/_call`: the second gets no connection.',
        ],
        [
          'websocket-path',
          '`items.getCall` is at the path of the WebSocket, which answers its requests with 426.',
        ],
      ]),
    );
    expect(problems.filter(({ code }) => code === 'missing-ws')).toEqual([]);
    const { stderr } = await project.ask(['check']);
    expect(stderr).toContain('the pages of every site may open WebSockets without cookies');
  });

  it('is an error of check where ws is not there, or too old', async () => {
    const project = await openProject({
      'src/capabilities.ts': capabilities(''),
      'package.json': '{ "name": "demo", "type": "module", "capix": "src/capabilities.ts" }',
    });
    const findMessages = async (): Promise<unknown[]> => {
      // A process of its own each time: Node remembers what the package.json of a package says.
      const { problems } = (await read({ ask: project.capix }, 'check')) as {
        readonly problems: readonly Record<string, unknown>[];
      };
      return problems.filter(({ code }) => code === 'missing-ws').map(({ message }) => message);
    };
    expect(await findMessages()).toEqual([
      'The package `ws` is not installed, and `webSocketTransport` needs it.',
    ]);
    const folder = join(project.root, 'node_modules/ws');
    await mkdir(folder);
    await cp(join(packageRoot, 'node_modules/ws/package.json'), join(folder, 'package.json'));
    expect(await findMessages()).toEqual([]);
    await project.write('node_modules/ws/package.json', '{ "name": "ws", "version": "8.18.0" }');
    expect(await findMessages()).toEqual([
      'webSocketTransport needs ws 8.21 or newer, and finds 8.18.0: npm install ws@^8.21.',
    ]);
  });
});
