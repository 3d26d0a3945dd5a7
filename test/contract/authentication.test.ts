import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { capability, defineGuard } from '../../server-runtime/index.ts';
import { ask, readAnswer } from '../helpers/ask.ts';
import { askCapix } from '../helpers/ask-capix.ts';
import { connectToCommand } from '../helpers/connect-to-tools.ts';
import { describeOverSockets } from '../helpers/every-door.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';
import { type RunningProject, startProject } from '../helpers/start-project.ts';

/** The scaffold, with one capability for signed-in users. */
let folder: string;
let project: RunningProject;
beforeAll(async () => {
  folder = await scaffold();
  await askCapix(['generate', 'group', 'users'], { cwd: folder });
  await writeTree(folder, {
    'src/capabilities/users/index.ts': "export { getMe } from './get-me.js';\n",
    'src/capabilities/users/get-me.ts':
      "import { authCap } from '../../context.js';\nexport const getMe = authCap((_input, { user }) => user.id);\n",
  });
  project = await startProject(folder, { API_TOKEN: 'secret' });
});

async function getMe(headers: Record<string, string> = {}) {
  const { status, body } = await readAnswer(await fetch(`${project.url}/users/me`, { headers }));
  return { status, body };
}

describeOverSockets('authentication', () => {
  it('1: a guard that throws rejects the request before the handler runs', async () => {
    let handled = false;
    const refuse = defineGuard(() => {
      throw new Error('whatever');
    });
    const listItems = capability(() => (handled = true)).guard(refuse);
    expect((await ask({ capabilities: { items: { listItems } } }, 'GET /items')).status).toBe(500);
    expect(handled).toBe(false);
  });
});

describe('authentication', () => {
  it('2: mustBeUser answers 401 Unauthorized where there is no valid user', async () => {
    const refused = { status: 401, body: { error: 'Unauthorized', message: expect.any(String) } };
    expect(await getMe()).toEqual(refused);
    for (const authorization of [
      'Bearer wrong',
      'Bearer secre',
      'Bearer secrets',
      'Bearer ',
      'secret',
      'undefined',
    ])
      expect([authorization, await getMe({ authorization })]).toEqual([authorization, refused]);
    expect(await getMe({ authorization: 'Bearer secret' })).toEqual({
      status: 200,
      body: { data: 'owner' },
    });
  });

  it('3: pages of other origins may send Authorization by default', async () => {
    const preflight = await fetch(`${project.url}/users/me`, { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
  });

  it('4: a scaffold has a plain factory, cap, and an authenticated one, authCap', async () => {
    const text = await readFile(join(folder, 'src/context.ts'), 'utf8');
    expect(text).toMatch(/^export const cap = /m);
    expect(text).toMatch(/^export const authCap = .*\.guard\(mustBeUser\)/m);
    expect((await askCapix(['list'], { cwd: folder })).stdout).toMatch(
      /users\.getMe +GET +\/users\/me +1 guard\n/,
    );
  });

  it('5: call and mcp have a stub context without a user: behind mustBeUser they reject', async () => {
    const { stderr, exitCode } = await askCapix(['call', 'users.getMe'], { cwd: folder });
    expect({ stderr, exitCode }).toMatchObject({
      stderr: expect.stringContaining('Unauthorized'),
      exitCode: 1,
    });
    const client = await connectToCommand(folder);
    const refused = await client.callTool({ name: 'users_getMe', arguments: {} });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Unauthorized') }],
    });
  });
});
