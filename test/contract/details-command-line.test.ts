import { beforeAll, describe, expect, it } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { type ContractProject, makeContractProject } from '../helpers/contract-project.ts';
import { cliEntry, type RunResult, runCapix } from '../helpers/run-capix.ts';
import { readTree } from '../helpers/scaffold.ts';
import { startProject } from '../helpers/start-project.ts';

const file = (users: string, more = '') =>
  `import { capability, defineGuard } from 'capix';\nimport * as z from 'zod';\nconst guard = defineGuard(() => {});\nexport const users = { ${users} };\n${more}`;

let project: ContractProject;
const told = new Map<string, Promise<RunResult>>();

/** What a command says that changes nothing: it is run once, however many lines of the contract are about it. */
function say(...words: readonly string[]): Promise<RunResult> {
  const key = words.join(' ');
  const result = told.get(key) ?? project.capix(...words);
  told.set(key, result);
  return result;
}

beforeAll(async () => {
  project = await makeContractProject();
  const long = 'getEverythingThatAnybodyCouldEverWantToKnowAboutThisVeryLongNameWithoutAnyEnd';
  await project.write({
    'guards.ts': file(
      'a: capability(() => 1), b: capability(() => 1).guard(guard), c: capability(() => 1).guard(guard).guard(guard)',
    ),
    'long.ts': file(`${long}: capability(() => 1)`),
    'echo.ts': file('echo: capability((input) => input)'),
    'warning.ts': file("createUser: capability(() => 1, 'query')"),
    'error.ts': file('listUsers: capability(() => 1), findUsers: capability(() => 1)'),
    'override.ts': file(
      'getMe: capability(() => 1)',
      "export const restOptions = { overrides: { 'users.nobody': { method: 'GET', path: '/x' } } };\n",
    ),
    'fault.ts':
      "import { capability } from 'capix';\nimport { x } from './missing.js';\nexport const users = { x };\n",
    'both.ts':
      'export const noCapability = 5; export function helper() {}\nexport { users as capabilities } from "./guards.js"; export default {};',
    'default.ts':
      'import { users } from "./error.js"; export default { people: users }; export const other = users;',
  });
});

describe('text and JSON', () => {
  it('without a terminal, or with --json or --plain, a command prints text, without escape sequences, and ends', async () => {
    for (const env of [{}, { FORCE_COLOR: '1' }, { NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      const { stdout, stderr, exitCode } = await runCapix(['show', 'items.getItem', '--plain'], {
        cwd: project.folder,
        env,
      });
      expect({ stderr, exitCode, escapes: stdout.includes('\u001B') }).toEqual({
        stderr: '',
        exitCode: 0,
        escapes: false,
      });
    }
  });

  it('text is never wrapped or cut', async () => {
    const { stdout } = await runCapix(['list', '--config', 'long.ts'], {
      cwd: project.folder,
      env: { COLUMNS: '20' },
    });
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stdout).toContain(
      '/users/everything-that-anybody-could-ever-want-to-know-about-this-very-long-name-without-any-end',
    );
  });

  it('data goes to stdout, errors to stderr', async () => {
    expect((await say('list')).stderr).toBe('');
    expect(await project.capix('show', 'users.nobody')).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^error: /),
    });
  });

  it('--json is {ok: true, data}, or {ok: false, error: {code, message, hint?}} on stdout', async () => {
    expect(JSON.parse((await project.capix('check', '--json')).stdout)).toEqual({
      ok: true,
      data: expect.any(Object),
    });
    const { stdout, exitCode } = await project.capix('show', 'items.getItm', '--json');
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: {
        code: expect.any(String),
        message: expect.any(String),
        hint: expect.stringContaining('items.getItem'),
      },
    });
    expect(exitCode).toBe(2);
  });

  it('openapi, ai-context and client print the document itself, with --json too', async () => {
    expect(JSON.parse((await project.capix('openapi', '--json')).stdout)).toHaveProperty('openapi');
    expect(JSON.parse((await project.capix('ai-context', '--json')).stdout)).toHaveProperty(
      'capabilities',
    );
    expect((await project.capix('client', '--json')).stdout).toContain(
      'export const createClient = ',
    );
  });

  it('a document that --output wrote to a file is said as {file} with --json', async () => {
    for (const command of ['openapi', 'docs', 'client', 'ai-context']) {
      expect(await project.data(command, '--output', `build/${command}`)).toEqual({
        file: `build/${command}`,
      });
    }
  });

  it('call takes JSON as HTTP does: an object, without keys that could reach a prototype', async () => {
    const call = (input: string) =>
      project.capix('call', 'users.echo', input, '--config', 'echo.ts');
    expect(JSON.parse((await call('{"__proto__":{"a":1},"b":2}')).stdout)).toEqual({ b: 2 });
    expect((await call('[1]')).exitCode).toBe(2);
  });
});

describe('exit codes', () => {
  it('0 is done, 1 failed or problems found, 2 wrong usage', async () => {
    const codes = [
      ['list'],
      ['list', '--config', 'missing.ts'],
      ['check', '--config', 'error.ts'],
      ['lst'],
      ['list', '--nope'],
      ['show'],
      ['mcp', '--port', 'x'],
    ].map(async (args) => (await say(...args)).exitCode);
    expect(await Promise.all(codes)).toEqual([0, 1, 1, 2, 2, 2, 2]);
  });

  it('an unknown command or key suggests the nearest one', async () => {
    expect((await say('lst')).stderr).toContain('Did you mean `list`');
    expect((await project.capix('call', 'items.getItm')).stderr).toContain(
      'Did you mean `items.getItem`?',
    );
  });

  it('Ctrl-C is 130', async () => {
    const dev = startInBackground([process.execPath, cliEntry, 'dev'], {
      cwd: project.folder,
      env: { PORT: '0' },
    });
    await dev.waitFor(/items\.createItem/);
    expect(await dev.stop('SIGINT')).toEqual({ exitCode: 130 });
  });
});

describe('the config file', () => {
  it('gives groups as capabilities, as default or as its named exports, in that order; other values are passed over', async () => {
    const keys = async (config: string) =>
      (
        (await project.data('list', '--config', config)) as { capabilities: { key: string }[] }
      ).capabilities.map(({ key }) => key);
    expect(await keys('both.ts')).toEqual(['a', 'b', 'c']);
    expect(await keys('default.ts')).toEqual(['people.listUsers', 'people.findUsers']);
    expect(await keys('guards.ts')).toEqual(['users.a', 'users.b', 'users.c']);
  });

  it('may export restOptions, which commands and server share', async () => {
    const text = await project.read('src/capabilities.ts');
    await project.write({
      'src/capabilities.ts': text.replace(
        '= {}',
        "= { overrides: { 'items.getItem': { method: 'GET', path: '/things/:id' } } } as const",
      ),
    });
    expect((await project.capix('list')).stdout).toContain('/things/:id');
    expect((await project.capix('openapi')).stdout).toContain('/things/{id}');
    const { dev, url } = await startProject(project.folder);
    expect((await fetch(`${url}/items/1`)).status).toBe(404);
    expect(await (await fetch(`${url}/things/1`)).json()).toMatchObject({
      message: 'There is no item 1',
    });
    await dev.stop();
    await project.write({ 'src/capabilities.ts': text });
  });

  it('with an import fault gives file, line and code frame', async () => {
    const { stderr, exitCode } = await project.capix('list', '--config', 'fault.ts');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: fault\.ts:2:\d+: .*missing/);
    expect(stderr).toContain("> 2 | import { x } from './missing.js';");
  });
});

describe('commands, in detail', () => {
  it('list prints the count, an empty line, and two spaces between columns: key, method, route, public, 1 guard or 2 guards', async () => {
    expect((await project.capix('list', '--config', 'guards.ts')).stdout).toBe(
      'Capabilities (3)\n\n  users.a  POST  /users/a  public\n  users.b  POST  /users/b  1 guard\n  users.c  POST  /users/c  2 guards\n',
    );
  });

  it('list, show and ai-context report the effective intent, declared or not', async () => {
    const list = (await project.data('list')) as {
      capabilities: { key: string; intent: string }[];
    };
    const document = JSON.parse((await project.capix('ai-context')).stdout) as typeof list;
    for (const { capabilities } of [list, document]) {
      expect(capabilities).toContainEqual(
        expect.objectContaining({ key: 'items.getItem', intent: 'query' }),
      );
      expect(capabilities).toContainEqual(
        expect.objectContaining({ key: 'items.createItem', intent: 'mutation' }),
      );
    }
    expect(await project.data('show', 'items.getItem')).toMatchObject({ intent: 'query' });
  });

  it('diff exits with 0 unless --fail-on breaking or risky is met', async () => {
    const diff = async (...args: readonly string[]) =>
      (await project.capix('diff', 'guards.ts', 'warning.ts', ...args)).exitCode;
    expect([
      await diff(),
      await diff('--fail-on', 'breaking'),
      await diff('--fail-on', 'risky'),
    ]).toEqual([0, 1, 1]);
    expect(
      (await project.capix('diff', 'guards.ts', 'guards.ts', '--fail-on', 'risky')).exitCode,
    ).toBe(0);
  });

  it('check exits with 1 on errors, and on warnings with --strict', async () => {
    const check = async (...args: readonly string[]) => (await say('check', ...args)).exitCode;
    expect(await check('--config', 'error.ts')).toBe(1);
    expect(await check('--config', 'warning.ts')).toBe(0);
    expect(await check('--config', 'warning.ts', '--strict')).toBe(1);
  });

  it('check names both of two capabilities on one route and prints an override that solves it', async () => {
    const { stdout } = await say('check', '--config', 'error.ts');
    expect(stdout).toMatch(/users\.listUsers.*users\.findUsers/);
    expect(stdout).toMatch(/overrides.*'users\.findUsers': \{ method: 'GET', path: '[^']+' \}/s);
  });

  it('check warns of an intent that contradicts the name, and has an error for an override without capability', async () => {
    expect((await say('check', '--config', 'warning.ts')).stdout).toMatch(
      /^warning .*[^]*users\.createUser/,
    );
    const { stdout, exitCode } = await project.capix('check', '--config', 'override.ts');
    expect(stdout).toMatch(/^error .*[^]*users\.nobody/);
    expect(exitCode).toBe(1);
  });

  it('new and generate overwrite nothing without --force', async () => {
    const before = await readTree(`${project.folder}/src`);
    expect((await project.capix('new', '.', '--no-install')).exitCode).toBe(1);
    expect((await project.capix('generate', 'capability', 'items', 'get')).exitCode).toBe(1);
    expect(await readTree(`${project.folder}/src`)).toEqual(before);
    expect(
      (await project.capix('generate', 'capability', 'users', 'getMe', '--force')).exitCode,
    ).toBe(0);
  });

  it('names cannot leave the project folder', async () => {
    for (const args of [
      ['new', '../x'],
      ['generate', 'capability', '../..', 'x'],
      ['generate', 'group', '../../x'],
    ]) {
      expect(await project.capix(...args)).toMatchObject({ exitCode: 2, stdout: '' });
    }
  });
});
