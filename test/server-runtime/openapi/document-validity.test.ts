import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { capability, generateOpenAPI } from '../../../server-runtime/index.ts';
import { shop, shopOverrides } from '../../helpers/shop.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const documents = [
  ['with every kind of route, field, guard and error', generateOpenAPI(shop, { overrides: shopOverrides })],
  ['without capabilities', generateOpenAPI({})],
  ['with one capability', generateOpenAPI({ health: capability(() => 1) })],
] as const;

describe('the document', () => {
  it.each(documents)('%s fits the schema of OpenAPI 3.1', async (_name, document) => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has no errors for redocly lint', { timeout: 120_000 }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'capix-lint-'));
    folders.push(folder);
    await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(documents[0][1]));
    const linted = await execa('redocly', ['lint', 'openapi.json', '--format', 'json'], {
      cwd: folder,
      preferLocal: true,
      localDir: import.meta.dirname,
      reject: false,
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    expect(JSON.parse(linted.stdout)).toMatchObject({ totals: { errors: 0 } });
    expect(linted.exitCode).toBe(0);
  });
});
