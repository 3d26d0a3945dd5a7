import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { startInBackground } from '../helpers/background-process.ts';
import { runScript, scaffold, typeErrors } from '../helpers/scaffold.ts';

describe('a new project in JavaScript', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await scaffold('shop', ['--javascript']);
  });

  test('has no TypeScript, and names no file of it', async () => {
    const { stdout } = await askCapix(
      ['new', 'other', '--javascript', '--no-install', '--no-git', '--json'],
      { cwd },
    );
    const { files } = (
      JSON.parse(stdout) as { readonly data: { readonly files: readonly string[] } }
    ).data;
    expect(files.filter((file) => /\.ts$|tsconfig/.test(file))).toEqual([]);
    const texts = await Promise.all(
      files.map((file) => readFile(join(cwd, 'other', file), 'utf8')),
    );
    expect(texts.filter((text) => /\w\.ts\b|typescript|\btsc\b/.test(text))).toEqual([]);
  });

  test('is typed by its comments, and passes its own tests and checks, also with a generated capability', async () => {
    expect((await askCapix(['check', '--strict'], { cwd })).stdout).toContain('No problems');
    const generated = await askCapix(['generate', 'capability', 'users', 'getUser', '--input'], {
      cwd,
    });
    expect(generated).toMatchObject({ stderr: '', exitCode: 0 });
    expect(await readFile(join(cwd, 'src/capabilities/users/index.js'), 'utf8')).toBe(
      "export { getUser } from './get-user.js';\n",
    );
    expect(await typeErrors(cwd, 'jsconfig.json')).toBe('');
    expect((await runScript(cwd, 'test')).all).toMatch(/pass 2\b/);
  });

  test('runs without a build, and answers the client that capix writes in JavaScript', async () => {
    const written = await askCapix(['client', '--output', 'client.js'], { cwd });
    expect(written).toMatchObject({ stderr: 'Wrote client.js\n', exitCode: 0 });
    const server = startInBackground([process.execPath, 'src/server.js'], {
      cwd,
      env: { PORT: '0' },
    });
    const [, baseUrl = ''] = await server.waitFor(
      /^\[capix\] Server started on (http:\/\/localhost:\d+)\n/,
    );
    const { createClient } = await import(pathToFileURL(join(cwd, 'client.js')).href);
    const client = createClient({ baseUrl });
    expect(await client.items.createItem({ name: 'Tea' })).toEqual({ id: '1', name: 'Tea' });
    await expect(client.items.getItem({ id: '7' })).rejects.toMatchObject({
      name: 'NotFound',
      status: 404,
    });
    expect((await askCapix(['check'], { cwd })).stdout).not.toContain('stale-file');
  });
});
