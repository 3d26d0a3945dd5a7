import { beforeAll, describe, expect, it } from 'vitest';
import { type ContractProject, makeContractProject } from '../helpers/contract-project.ts';

let project: ContractProject;
let byDefault: Record<string, unknown>;
let flagged: Record<string, unknown>;
beforeAll(async () => {
  project = await makeContractProject();
  await project.write({
    'other.ts':
      "import { capability } from 'capix';\nexport const users = { bulkStatus: capability(() => 1) };\n",
    'snake.ts': "export * from './other.js';\nexport const restOptions = { urlCase: 'snake' };\n",
  });
  byDefault = await openapi();
  const texts = ['--title', 'Shop', '--api-version', '2.0.0', '--description', 'All of it'];
  flagged = await openapi(...texts, '--server', 'https://api.example');
});

async function openapi(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await project.capix('openapi', ...args);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('openapi flags', () => {
  it('--config <path> is the capabilities file', async () => {
    expect(Object.keys((await openapi('--config', 'other.ts'))['paths'] as object)).toEqual([
      '/users/bulk-status',
    ]);
  });

  it('--output <file> writes to the file, and nothing to stdout', async () => {
    const { stdout, exitCode } = await project.capix('openapi', '--output', 'build/api.json');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
    expect(JSON.parse(await project.read('build/api.json'))).toEqual(byDefault);
  });

  it('--title <title> is the title, Capix API by default', () => {
    expect(byDefault).toMatchObject({ info: { title: 'Capix API' } });
    expect(flagged).toMatchObject({ info: { title: 'Shop' } });
  });

  it('--api-version <version> is the version, 0.1.0 by default', () => {
    expect(byDefault).toMatchObject({ info: { version: '0.1.0' } });
    expect(flagged).toMatchObject({ info: { version: '2.0.0' } });
  });

  it('--description <text> is the description', () => {
    expect(flagged).toMatchObject({ info: { description: 'All of it' } });
  });

  it('--server <url> is a server of the document', () => {
    expect(flagged).toMatchObject({
      servers: [{ url: 'https://api.example' }],
    });
  });

  it('--url-case <case> is kebab, camel or snake, and goes before that of restOptions', async () => {
    for (const [urlCase, word] of [
      ['kebab', 'bulk-status'],
      ['camel', 'bulkStatus'],
      ['snake', 'bulk_status'],
    ] as const) {
      const { paths } = await openapi('--config', 'other.ts', '--url-case', urlCase);
      expect(Object.keys(paths as object)).toEqual([`/users/${word}`]);
    }
    expect(await openapi('--config', 'snake.ts')).toHaveProperty(['paths', '/users/bulk_status']);
    expect(await openapi('--config', 'snake.ts', '--url-case', 'camel')).toHaveProperty([
      'paths',
      '/users/bulkStatus',
    ]);
  });
});
