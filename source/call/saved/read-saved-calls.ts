import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { looksSecret } from '../../../server-runtime/schema/received.ts';
import { type CliError, createCliError } from '../../cli/cli-error.ts';
import { CALLS_FOLDER, readSavedNames } from '../../files/read-saved-names.ts';

/**
 * The saved calls of a project in the order of their names, and `InvalidSavedCall` for each file that is none. `root`:
 * absolute path.
 */
export async function readSavedCalls(root: string) {
  const names = await readSavedNames(root);
  const results = await Promise.allSettled(names.map((name) => readOne(root, name)));
  const calls = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const problems = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as CliError] : []));
  return { calls, problems };
}

async function readOne(root: string, name: string): Promise<SavedCall> {
  const file = `${CALLS_FOLDER}/${name}.json`;
  const fail = (place: string, reason: string): Error => createCliError('InvalidSavedCall', { file, place, reason });
  let content: unknown;
  try {
    content = JSON.parse(await readFile(join(root, file), 'utf8'));
  } catch (error) {
    throw fail('', error instanceof Error ? error.message : String(error));
  }
  const result = savedCallFile.safeParse(content);
  if (result.success) return { ...result.data, name };
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw fail(place === '' ? '' : `, ${place}`, issue?.message ?? '');
}

const expectation = z.strictObject({
  /** @default any that is not an error */
  status: z.int().min(100).max(599).optional(),
  /** A part of the body: objects of the answer may have more fields. */
  body: z.unknown().optional(),
});

export const savedCallFile = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().optional(),
  call: z.string(),
  input: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** Name of the environment that it goes to, unless the command line names another one. */
  environment: z.string().optional(),
  expect: expectation.prefault({}),
});

export type Expectation = z.infer<typeof expectation>;

/** A call that a project keeps in a file, with what its answer must be. */
export interface SavedCall extends z.infer<typeof savedCallFile> {
  /** The name of its file without the extension: `'items/create'` for `calls/items/create.json`. */
  readonly name: string;
}

/** The text of a saved call. In place of a secret it names a variable: `password` is `${PASSWORD}`. */
export function toSavedFileText({ input, headers, ...rest }: Partial<SavedCall>): string {
  const own = Object.entries(headers ?? {}).map(([name, value]) => [name, toHeader(name, value)] as const);
  const named = own.length === 0 ? undefined : Object.fromEntries(own);
  const { call, environment, expect } = rest;
  const content = { call, input: withoutSecrets(input), headers: named, environment, expect };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, looksSecret(name) ? toVariable(name) : withoutSecrets(field)]),
  );
}

/** `Bearer abc` is `Bearer ${AUTHORIZATION}`. Whoever has written a template has written no secret. */
function toHeader(name: string, value: string): string {
  const [scheme = ''] = /^[A-Za-z]+ /.exec(value) ?? [];
  const isTemplate = /^(?:\{\{[^{}]+\}\}|\$\{\w+\})$/.test(value.slice(scheme.length));
  return looksSecret(name) && !isTemplate ? `${scheme}${toVariable(name)}` : value;
}

function toVariable(name: string): string {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').replaceAll(/[^A-Za-z0-9]+/g, '_');
  return `\${${words.toUpperCase()}}`;
}
