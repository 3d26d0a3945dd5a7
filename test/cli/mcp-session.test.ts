import { readdir } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, it, onTestFinished } from 'vitest';
import { postStateless } from '../helpers/ask-stateless.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { connectToUrl } from '../helpers/connect-to-tools.ts';
import { type FixtureProject, openProject } from '../helpers/fixture-project.ts';
import { cleanEnvironment, cliEntry } from '../helpers/run-capix.ts';

/** Its tools: whatever is written to stdout, by whom it may be, goes elsewhere. */
const capabilities = (tools: string): string => `
  import { execSync } from 'node:child_process';
  import { existsSync, writeFileSync, writeSync } from 'node:fs';
  import { capability, withCaller } from 'capix';
  import * as z from 'zod';
  writeSync(1, 'IMPORT-FD1');
  execSync('echo IMPORT-CHILD', { stdio: 'inherit' });
  const gate = async () => {
    while (!existsSync('open')) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  export const capabilities = { a: { ${tools} } };
`;

const noisy = `noisy: capability(() => {
  writeSync(1, 'FD1');
  execSync('echo CHILD', { stdio: 'inherit' });
  return 'first';
}, 'query')`;
const pid = `pid: capability(() => process.pid, 'query')`;
const slow = `slow: capability(async () => { await gate(); return 'answered by the code of before'; }, 'query')`;
const hang = `hang: capability(async (_input, { signal }) => {
  writeFileSync('hangs-' + process.pid, '');
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  writeFileSync('cancelled-' + process.pid, '');
}, 'query')`;
const leave = `leave: capability(() => process.exit(3))`;
const ask = `ask: capability.use(withCaller)(async (_input, { elicit }) =>
  ({ ...(await elicit('Which?', z.object({ colour: z.string() }))), by: process.pid }), 'query')`;

interface Session {
  readonly client: Client;
  readonly project: FixtureProject;
  readonly stderr: () => string;
  /** Messages of the client's log. */
  readonly logged: readonly unknown[];
  /** The number of times that it was told of other tools. */
  readonly changes: () => number;
  readonly names: () => Promise<readonly string[]>;
  readonly call: (name: string) => Promise<unknown>;
  readonly save: (tools: string) => Promise<void>;
}

async function openSession(
  tools: string,
  toEnv: (root: string) => Promise<Record<string, string>> = async () => ({}),
): Promise<Session> {
  const project = await openProject({ 'src/capabilities.ts': capabilities(tools) });
  const env = await toEnv(project.root);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliEntry, 'mcp'],
    cwd: project.root,
    env: { ...cleanEnvironment(), ...env },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => (stderr += chunk));
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const logged: unknown[] = [];
  let changes = 0;
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void logged.push(params.data),
  );
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    project,
    stderr: () => stderr,
    logged,
    changes: () => changes,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name) => {
      const { structuredContent, isError, content } = await client.callTool({
        name,
        arguments: {},
      });
      return isError === true ? content : (structuredContent as { readonly data: unknown }).data;
    },
    save: (text) => project.write('src/capabilities.ts', capabilities(text)),
  };
}

it('nothing but the protocol reaches stdout, whatever the code does with file descriptor 1', async () => {
  const { call, stderr } = await openSession(noisy);
  expect(await call('a_noisy')).toBe('first');
  await expect.poll(stderr).toMatch(/IMPORT-FD1IMPORT-CHILD[^]*FD1CHILD/);
});

it('a save changes the tools of a session under way, the client is told, and what was asked before is still answered', async () => {
  const { client, project, changes, names, call, save, stderr } = await openSession(
    `${pid}, ${slow}`,
  );
  const before = await call('a_pid');
  const answer = call('a_slow');
  answer.catch(() => {}); // Whatever comes first is what is told of.
  await save(`${pid}, other: capability(() => 'new', 'query')`);
  await expect.poll(changes).toBe(1);
  expect(await names()).toEqual(['a_pid', 'a_other']);
  expect(await call('a_other')).toBe('new');
  expect(await call('a_pid')).not.toBe(before);
  await project.write('open', '');
  expect(await answer).toBe('answered by the code of before');
  expect(stderr()).toContain(
    '[capix] Loaded again after a change of 1 file; clients are told of other tools.\n',
  );
  expect(client.getServerCapabilities()).toMatchObject({
    tools: { listChanged: true },
    logging: {},
  });
});

it('over HTTP, too, a save changes the tools, clients of both revisions are told, and what was asked before is answered', async () => {
  const project = await openProject({
    'src/capabilities.ts': capabilities(`${pid}, ${slow}, ${hang}`),
  });
  const server = startInBackground([process.execPath, cliEntry, 'mcp', '--port', '0'], {
    cwd: project.root,
  });
  const [, url = ''] = await server.waitFor(/Server started on (\S+)\n/);
  const client = await connectToUrl(url);
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  const params = { notifications: { toolsListChanged: true } };
  const listening = await postStateless(url, { method: 'subscriptions/listen', params });
  const news = listening.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await news?.read())?.value).toContain('notifications/subscriptions/acknowledged');
  const answer = client.callTool({ name: 'a_slow', arguments: {} });
  answer.catch(() => {}); // Whatever comes first is what is told of.
  const files = async (start: string) =>
    (await readdir(project.root)).filter((name) => name.startsWith(start));
  const hanging = [new AbortController(), new AbortController()] as const;
  const begin = ({ signal }: AbortController) =>
    client.callTool({ name: 'a_hang', arguments: {} }, undefined, { signal }).catch(() => {});
  const hung = [begin(hanging[0])];
  await expect.poll(() => files('hangs-')).toHaveLength(1);

  await project.write(
    'src/capabilities.ts',
    capabilities(`${pid}, ${hang}, other: capability(() => 'new', 'query')`),
  );
  await expect.poll(() => changes).toBe(1);
  await expect
    .poll(async () => (await news?.read())?.value)
    .toMatch(/tools\/list_changed.*subscriptionId/);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'a_pid',
    'a_hang',
    'a_other',
  ]);
  // A call is cancelled in whichever process runs it, that of before or that of now, which did not open the session.
  hung.push(begin(hanging[1]));
  await expect.poll(() => files('hangs-')).toHaveLength(2);
  for (const each of hanging) each.abort();
  await expect.poll(() => files('cancelled-')).toHaveLength(2);
  await Promise.all(hung);
  await project.write('open', '');
  expect((await answer).structuredContent).toEqual({ data: 'answered by the code of before' });

  await project.write('src/capabilities.ts', capabilities('broken: }'));
  await server.waitFor(/Expression expected/);
  expect((await client.callTool({ name: 'a_other', arguments: {} })).structuredContent).toEqual({
    data: 'new',
  });
  await project.write('src/capabilities.ts', capabilities(leave));
  await expect.poll(() => changes).toBe(2);
  await expect(client.callTool({ name: 'a_leave', arguments: {} })).rejects.toThrow(
    'ended the process with exit code 3 before it answered',
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['a_leave']);
  await news?.cancel();
  const stream = { accept: 'text/event-stream', 'mcp-session-id': 'of-an-earlier-process' };
  expect((await fetch(url, { headers: stream })).status).toBe(404);
  expect(await server.stop('SIGINT')).toEqual({ exitCode: 130 });
});

it('a save that cannot be loaded leaves the tools as they are, and says so on stderr and in the log of the client', async () => {
  const { changes, names, call, save, stderr, logged } = await openSession(pid);
  const before = await call('a_pid');
  await save(`${pid}, broken: }`);
  await expect
    .poll(() => logged)
    .toEqual([
      expect.stringMatching(
        /^The project could not be loaded again; the tools are those of before\. src\/capabilities\.ts:\d+/,
      ),
    ]);
  expect(stderr()).toMatch(/\nerror: src\/capabilities\.ts:\d+:\d+: Expression expected/);
  expect(await call('a_pid')).toBe(before);
  await save(`${pid}, mended: capability(() => 1)`);
  await expect.poll(changes).toBe(1);
  expect(await names()).toEqual(['a_pid', 'a_mended']);
});

it('a save whose tools cannot be described leaves the tools as they are, and the next save is loaded', async () => {
  const { changes, names, save, stderr } = await openSession(pid);
  const torn = 'z.object({ when: z.lazy(() => { throw new Error("torn"); }) })';
  await save(`${pid}, torn: capability(${torn}, () => 1)`);
  await expect.poll(stderr).toMatch(/error: .*torn/);
  expect(await names()).toEqual(['a_pid']);
  await save(`${pid}, mended: capability(() => 1)`);
  await expect.poll(changes).toBe(1);
  expect(await names()).toEqual(['a_pid', 'a_mended']);
});

it('code that ends its process costs the calls under way, which are told so; the next request starts it again', async () => {
  const { call, stderr, logged } = await openSession(`${pid}, ${leave}`);
  const before = await call('a_pid');
  await expect(call('a_leave')).rejects.toThrow(
    "The project's code ended the process with exit code 3 before it answered.",
  );
  expect(await call('a_pid')).not.toBe(before);
  const said =
    "The project's code ended the process with exit code 3. It is started again with the next request or save.";
  expect(stderr()).toContain(`[capix] ${said}\n`);
  expect(logged).toEqual([said]);
});

it('a call that has asked the user of the client goes on with the newest code', async () => {
  const { client, call, save, changes } = await openSession(`${pid}, ${ask}`);
  const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  client.setRequestHandler(ElicitRequestSchema, async () => {
    await save(`${ask}, ${pid}, more: capability(() => 1)`);
    await expect.poll(changes).toBe(1);
    return { action: 'accept', content: { colour: 'red' } };
  });
  const answer = await call('a_ask');
  expect(answer).toEqual({ action: 'accept', content: { colour: 'red' }, by: await call('a_pid') });
});

it('code that ends its process while it is loaded ends the command, which says so once', async () => {
  const { capix } = await openProject({ 'src/capabilities.ts': 'process.exit(3);' });
  expect(await capix(['mcp'])).toEqual({
    stdout: '',
    stderr:
      "error: The project's code ended the process with exit code 3 while it was loaded.\nMove such code out of the files that declare capabilities.\n",
    exitCode: 1,
  });
});
