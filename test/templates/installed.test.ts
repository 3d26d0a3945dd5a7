import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { delimiter, join, relative } from 'node:path';
import { execa } from 'execa';
import picomatch from 'picomatch';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TemplateName, templateNames } from '../../source/flags/new-flags.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { installTool, npm, npmEnvironment } from '../helpers/packed-project.ts';
import { packageRoot } from '../helpers/run-capix.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Whether this Node takes the types out of TypeScript; `npm run long` runs on each version. */
const strips = 'stripTypeScriptTypes' in nodeModule;

/** A path of each template, and what it answers at first. */
const answers: Readonly<Record<TemplateName, readonly [path: string, answer: unknown]>> = {
  minimal: ['/hello?name=Ada', { data: { greeting: 'Hello, Ada!' } }],
  items: ['/items', { data: [] }],
  product: ['/clinics', { error: 'Unauthorized', message: 'Sign in first.' }],
};

/** What the tests of `product` may take, which have a database each, on a computer that has other work. */
const patience = 1_200_000;

/** Production refuses those of development. */
const secret = 'a secret of thirty-two letters or more';
const secrets = { AUTH_SECRET: secret, LAB_SECRET: secret };

const linter = join(packageRoot, 'node_modules', '.cache', 'capix-eslint');
let capix = '';
let tarball = '';

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
  ({ capix, tarball } = await installTool(await temporaryFolder()));
});

describe.each(templateNames)('a project of the template %s, made by the packed package', (name) => {
  let cwd = '';
  const environment = npmEnvironment();
  beforeAll(async () => {
    const parent = await temporaryFolder();
    const words = ['new', 'shop', '--template', name, '--package-manager', 'npm'];
    await execa(process.execPath, [capix, ...words], { cwd: parent, ...environment });
    cwd = join(parent, 'shop');
  });

  it('is checked, tested, built, started, and called', { timeout: patience }, async () => {
    expect(await npm(['run', '--silent', 'check'], cwd)).toContain('No problems');
    expect(await npm(['run', '--silent', 'test'], cwd)).toMatch(/fail 0$/m);
    await npm(['run', '--silent', 'build'], cwd);
    const text = await readFile(join(cwd, 'package.json'), 'utf8');
    const { start } = (JSON.parse(text) as { scripts: { start: string } }).scripts;
    // npm itself hands on no signal: what it runs is started as it would.
    const words = name === 'product' ? `${start} --workers 1` : start;
    const run = ['sh', '-c', `exec ${words}`] as const;
    expect(await callStarted(run, { cwd, env: secrets })).toEqual(answers[name][1]);
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
    if (name === 'product') words.push('web');
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

  if (name === 'product')
    it('is built and started by the steps of its Dockerfile, which names no other', {
      timeout: patience,
    }, async () => {
      const lines = (await readFile(join(cwd, 'Dockerfile'), 'utf8')).split('\n');
      const steps = lines.filter((line) => /^(?:COPY|RUN|CMD) /.test(line));
      expect(steps).toEqual([
        'COPY . .',
        'RUN npm ci',
        'RUN npm run build',
        'RUN npm prune --omit=dev',
        'COPY --from=build --chown=node:node /app ./',
        'CMD ["node", "--enable-source-maps", "dist/server.js"]',
      ]);
      const image = await temporaryFolder();
      await copyContext(cwd, image);
      for (const step of steps.filter((line) => line.startsWith('RUN ')))
        await execa('sh', ['-c', step.slice('RUN '.length)], { cwd: image, ...environment });
      const production = { NODE_ENV: 'production', ...secrets };
      const run = ['node', '--enable-source-maps', 'dist/server.js'] as const;
      expect(await callStarted(run, { cwd: image, env: production })).toEqual(answers[name][1]);
    });

  /** What the first path answers once a command has started the server. */
  async function callStarted(
    words: readonly [string, ...string[]],
    { cwd: folder, env = {} }: { readonly cwd: string; readonly env?: Record<string, string> } = {
      cwd,
    },
  ): Promise<unknown> {
    const path = [join(cwd, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
    const started = startInBackground(words, {
      cwd: folder,
      env: { PORT: '0', PATH: path, ...env },
    });
    const [, url = ''] = await started.waitFor(
      /^\[capix\] Server started on (http:\/\/localhost:\d+)$/m,
    );
    const answer = await (await fetch(`${url}${answers[name][0]}`)).json();
    await started.stop('SIGTERM');
    return answer;
  }
});

/** What `docker build` would see of a project: not what `.dockerignore` names. A release of capix is the packed file here. */
async function copyContext(from: string, to: string): Promise<void> {
  const lines = (await readFile(join(from, '.dockerignore'), 'utf8')).trim().split('\n');
  // Docker reads each line from the folder of the file: `files` is not `src/files`.
  const isIgnored = picomatch(lines, { dot: true });
  await cp(from, to, { recursive: true, filter: (file) => !isIgnored(relative(from, file)) });
  await cp(tarball, join(to, 'capix.tgz'));
  const project = JSON.parse(await readFile(join(to, 'package.json'), 'utf8'));
  project.dependencies.capix = 'file:capix.tgz';
  await writeFile(join(to, 'package.json'), JSON.stringify(project));
  await rm(join(to, 'package-lock.json'));
  await npm(['install', '--package-lock-only', '--no-audit', '--no-fund'], to);
}
