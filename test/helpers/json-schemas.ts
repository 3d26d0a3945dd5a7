import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { packageRoot } from './run-capix.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** The schemas of what the command prints with `--json`, as the package has them. */
export const jsonSchemas = JSON.parse(await readFile(join(packageRoot, 'docs', 'json-schemas.json'), 'utf8')) as {
  readonly $defs: Readonly<Record<string, Schema>>;
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(toClosed(jsonSchemas) as Schema, 'closed');

/** The same schemas, by which a field that they do not name is a fault. */
function toClosed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toClosed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, toClosed(value)]));
  const isObject = closed['type'] === 'object' && 'properties' in closed;
  return isObject ? { additionalProperties: false, ...closed } : closed;
}

/** Holds a document to the schema of this name, and to no fields but those that it names. */
export function expectFits(name: string, document: unknown): void {
  const validate = ajv.getSchema(`closed#/$defs/${encodeURIComponent(name)}`) as ValidateFunction;
  const faults = validate(document) ? [] : validate.errors;
  expect(faults, JSON.stringify(document, undefined, 2)).toEqual([]);
}
