import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startInBackground } from '../helpers/background-process.ts';
import { runCapix } from '../helpers/run-capix.ts';
import { runScript, scaffold, typeErrors } from '../helpers/scaffold.ts';

describe('a new project', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await scaffold();
  });

  test('compiles strictly', async () => {
    expect(await typeErrors(cwd)).toBe('');
  });

  test('passes its own tests', async () => {
    const { exitCode, all } = await runScript(cwd, 'test');
    expect(all).toMatch(/pass 2\b/);
    expect(exitCode).toBe(0);
  });

  test('lists its capabilities in the order of declaration', async () => {
    expect(await runCapix(['list'], { cwd })).toEqual({
      stdout: [
        'Capabilities (3)',
        '',
        '  items.getItem     GET   /items/:id  public',
        '  items.listItems   GET   /items      public',
        '  items.createItem  POST  /items      public',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
  });

  test('runs in production: builds, starts, answers as the contract says, and stops on SIGTERM', async () => {
    expect(await runScript(cwd, 'build')).toMatchObject({ exitCode: 0, all: '' });
    const server = startInBackground([process.execPath, 'dist/server.js'], {
      cwd,
      env: { NODE_ENV: 'production', PORT: '0' },
    });
    const [, base = ''] = await server.waitFor(
      /^\[capix\] Server started on (http:\/\/localhost:\d+)\n/,
    );
    await server.waitFor(/The pages of every site.*\n/);
    expect(server.output().split('\n').slice(1)).toEqual([
      '[capix] Routes:',
      '  GET   /items/:id  items.getItem',
      '  GET   /items      items.listItems',
      '  POST  /items      items.createItem',
      expect.stringMatching(/^\[capix\] It listens at every address of this machine/),
      expect.stringMatching(/^\[capix\] The pages of every site may read this API/),
      '',
    ]);

    expect(await answer(base, 'GET', '/items')).toEqual([200, { data: [] }]);
    expect(await answer(base, 'POST', '/items', { name: 'Tea' })).toEqual([
      200,
      { data: { id: '1', name: 'Tea' } },
    ]);
    expect(await answer(base, 'GET', '/items/1')).toEqual([
      200,
      { data: { id: '1', name: 'Tea' } },
    ]);
    expect(await answer(base, 'GET', '/items')).toEqual([
      200,
      { data: [{ id: '1', name: 'Tea' }] },
    ]);
    expect(await answer(base, 'GET', '/items/2')).toEqual([
      404,
      expect.objectContaining({ error: 'NotFound' }),
    ]);
    expect(await answer(base, 'POST', '/items', {})).toEqual([
      400,
      expect.objectContaining({ error: 'BadRequest' }),
    ]);

    expect(await server.stop('SIGTERM')).toEqual({ exitCode: 0 });
  });

  test('teaches editors and agents its conventions', async () => {
    for (const path of ['.cursor/rules', 'AGENTS.md']) {
      const text = await readFile(join(cwd, path), 'utf8');
      for (const heading of [
        'Capability naming',
        'Guard usage',
        'Error definition style',
        'Two factories',
      ]) {
        expect(text).toContain(`## ${heading}\n`);
      }
    }
  });
});

async function answer(
  base: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<readonly [number, unknown]> {
  const response = await fetch(`${base}${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return [response.status, await response.json()];
}
