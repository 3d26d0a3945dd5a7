import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import {
  capability,
  compileRegistry,
  generateOpenAPI,
  type OpenApiDocument,
} from '../../../server-runtime/index.ts';
import { toOpenApi } from '../../../server-runtime/openapi/generate-openapi.ts';
import { shop, shopOverrides } from '../../helpers/shop.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const documents = [
  ['with every kind of route, field, guard and error, and jobs', toDocumentWithJobs()],
  ['without capabilities', generateOpenAPI({})],
  ['with one capability', generateOpenAPI({ health: capability(() => 1) })],
] as const;

/** As `capix openapi` writes it for a project with a queue. */
function toDocumentWithJobs(): OpenApiDocument {
  const settings = { maxJobs: 5, attempts: 3, backoffMs: 100, rate: { limit: 1, windowMs: 1_000 } };
  const repeat = { cron: '0 3 * * *', timezone: 'Europe/Berlin' };
  const { operations } = compileRegistry(shop);
  const jobs = operations.map((operation) => ({ operation, settings: { ...settings, repeat } }));
  const { document } = toOpenApi(compileRegistry(shop), { overrides: shopOverrides }, { jobs });
  expect(Object.keys(document['x-jobs'] ?? {})).toHaveLength(operations.length);
  return document;
}

describe('the document', () => {
  it.each(documents)('%s fits the schema of OpenAPI 3.1', async (_name, document) => {
    const validator = new Validator();
    const result = await validator.validate(
      structuredClone(document) as unknown as Record<string, unknown>,
    );
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has no errors for redocly lint', async () => {
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
