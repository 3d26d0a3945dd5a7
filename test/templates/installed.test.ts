import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TemplateName, templateNames } from '../../source/flags/new-flags.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { installTool, npm } from '../helpers/packed-project.ts';
import { cleanEnvironment, packageRoot } from '../helpers/run-capix.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Whether this Node takes the types out of TypeScript; `npm run long` runs on each version. */
const strips = 'stripTypeScriptTypes' in nodeModule;

/** A path of each template, and what it answers at first. */
const answers: Readonly<Record<TemplateName, readonly [path: string, answer: unknown]>> = {
  minimal: ['/hello?name=Ada', { data: { greeting: 'Hello, Ada!' } }],
  items: ['/items', { data: [] }],
  product: ['/clinics', { error: 'Unauthorized', message: 'Sign in first.' }],
};

const linter = join(packageRoot, 'node_modules', '.cache', 'capix-eslint');
let capix = '';

beforeAll(async () => {
  await mkdir(linter, { recursive: true });
  // typescript-eslint reads types by the JavaScript of TypeScript, which TypeScript 7 does not have.
  const dependencies = {
    eslint: '10.15.0',
    'typescript-eslint': '8.74.0',
    typescript: '5.9.3',
  };
  await writeFile(
    join(linter, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  );
  await writeFile(
    join(linter, 'eslint.config.mjs'),
    `import tseslint from 'typescript-eslint';
export default tseslint.config(...tseslint.configs.strictTypeChecked, {
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: process.cwd() } },
});
`,
  );
  await npm(['install', '--no-audit', '--no-fund'], linter);
  ({ capix } = await installTool(await temporaryFolder()));
});

describe.each(templateNames)('a project of the template %s, made by the packed package', (name) => {
  let cwd = '';
  beforeAll(async () => {
    const parent = await temporaryFolder();
    const words = ['new', 'shop', '--template', name, '--package-manager', 'npm'];
    await execa(process.execPath, [capix, ...words], { cwd: parent, ...environment });
    cwd = join(parent, 'shop');
  });

  const environment = {
    env: { ...cleanEnvironment(), npm_config_prefer_offline: 'true' },
    extendEnv: false,
  } as const;

  it('is checked, tested, built, started, and called', async () => {
    expect(await npm(['run', '--silent', 'check'], cwd)).toContain('No problems');
    expect(await npm(['run', '--silent', 'test'], cwd)).toMatch(/fail 0$/m);
    await npm(['run', '--silent', 'build'], cwd);
    const text = await readFile(join(cwd, 'package.json'), 'utf8');
    const { start } = (JSON.parse(text) as { scripts: { start: string } }).scripts;
    // npm itself hands on no signal: what it runs is started as it would.
    expect(await callStarted(['sh', '-c', `exec ${start}`])).toEqual(answers[name][1]);
  });

  it("runs without a build where Node itself strips types, whose sources name each other's files", async () => {
    const run = [process.execPath, 'src/server.ts'] as const;
    if (strips) expect(await callStarted(run)).toEqual(answers[name][1]);
    else
      await expect(callStarted(run)).rejects.toThrow(/ERR_UNKNOWN_FILE_EXTENSION|Unknown file ext/);
  });

  it('passes the strict rules of typescript-eslint', async () => {
    const eslint = join(linter, 'node_modules/eslint/bin/eslint.js');
    const words = [eslint, '--config', join(linter, 'eslint.config.mjs'), 'src'];
    const { exitCode, stdout } = await execa(process.execPath, words, {
      cwd,
      ...environment,
      reject: false,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });

  it('can be installed again, also from its lock file', async () => {
    for (const words of [['install'], ['install'], ['ci']])
      await npm([...words, '--no-audit', '--no-fund'], cwd);
    expect(await npm(['run', '--silent', 'check'], cwd)).toContain('No problems');
  });

  /** What the first path answers once a command has started the server. */
  async function callStarted(words: readonly [string, ...string[]]): Promise<unknown> {
    const path = [join(cwd, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
    const started = startInBackground(words, { cwd, env: { PORT: '0', PATH: path } });
    const [, url = ''] = await started.waitFor(
      /^\[capix\] Server started on (http:\/\/localhost:\d+)$/m,
    );
    const answer = await (await fetch(`${url}${answers[name][0]}`)).json();
    await started.stop('SIGTERM');
    return answer;
  }
});
