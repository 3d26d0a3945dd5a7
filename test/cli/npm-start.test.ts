import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { packageRoot } from '../helpers/run-capix.ts';

/** Ignored by git, and in the checkout, so that the copy finds the packages that are installed there. */
const copy = join(packageRoot, 'demo', `.npm-start-${process.pid}`);
const sources = [
  'cli.ts',
  'commands',
  'source',
  'server-runtime',
  'scripts',
  'templates',
  'examples',
  'package.json',
];

afterAll(() => rm(copy, { recursive: true, force: true, maxRetries: 5 }));

test('npm start builds capix, makes the demo and serves it, and the second time keeps what is there', async () => {
  await mkdir(copy, { recursive: true });
  for (const path of [...sources, 'tsconfig.json', 'tsconfig.build.json']) {
    await cp(join(packageRoot, path), join(copy, path), { recursive: true });
  }

  for (const steps of [
    [
      'Building capix',
      'Creating the project demo/',
      'Installing demo/',
      'Running `capix dev` in demo/',
    ],
    ['Building capix', 'Running `capix dev` in demo/'],
  ]) {
    const env = { PORT: '0', npm_config_prefer_offline: 'true' };
    const started = startInBackground(['npm', 'start'], { cwd: copy, env, patienceMs: 300_000 });
    const [, base = ''] = await started.waitFor(
      /^\[capix\] Server started on (http:\/\/localhost:\d+)$/m,
    );
    const said = [...started.output().matchAll(/^\[start\] (.*)$/gm)].map(([, step]) => step);
    expect(said).toEqual(steps);
    expect(await (await fetch(`${base}/items`)).json()).toEqual({ data: [] });
    await started.stop('SIGTERM');
    await expect(fetch(`${base}/items`)).rejects.toThrow(TypeError);
  }
}, 900_000);
