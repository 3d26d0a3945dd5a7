import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { looksSecret } from '../../../server-runtime/schema/received.ts';
import { createCliError } from '../../cli/cli-error.ts';
import { CALLS_FOLDER, readSavedNames } from '../../files/read-saved-names.ts';
import type { RequestHeaders } from '../run/request-headers.ts';

/**
 * The saved calls of a project, by name; none where it has no folder of them. `root`: absolute path.
 *
 * @throws CliError `InvalidSavedCall` with the file and the place in it
 */
export async function readSavedCalls(root: string): Promise<readonly SavedCall[]> {
  const names = await readSavedNames(root);
  return Promise.all(names.map((name) => readOne(root, name)));
}

export interface FoundCalls {
  readonly calls: readonly SavedCall[];
  /** The messages of `InvalidSavedCall`, a file each: which capability they are for cannot be known. */
  readonly problems: readonly string[];
}

/** The saved calls of one capability, beside the files that cannot be read. */
export async function readSavedCallsOf(root: string, key: string): Promise<FoundCalls> {
  const names = await readSavedNames(root);
  const results = await Promise.allSettled(names.map((name) => readOne(root, name)));
  return {
    calls: results.flatMap((result) =>
      result.status === 'fulfilled' && result.value.call === key ? [result.value] : [],
    ),
    problems: results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : [])),
  };
}

/** @throws CliError `Usage` with what may be meant */
export function expectSavedCall(name: string, calls: readonly SavedCall[]): SavedCall {
  const found = calls.find((saved) => saved.name === name);
  if (found !== undefined) return found;
  const names = calls.map((saved) => saved.name);
  const nearest = findNearest(name, names);
  throw createCliError(
    'UnknownSavedCall',
    { name },
    nearest === undefined ? {} : { hint: `Did you mean \`@${nearest}\`?` },
  );
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

/** The contents of a file of a saved call. */
export const savedCallFile = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().optional(),
  /** Key of the capability. */
  call: z.string(),
  input: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** Name of the environment that it goes to, unless the command line names another one. */
  environment: z.string().optional(),
  expect: expectation.prefault({}),
});

/** The expectations of an answer. */
export type Expectation = z.infer<typeof expectation>;

/** A call that a project keeps in a file, with what its answer must be. */
export interface SavedCall extends z.infer<typeof savedCallFile> {
  /** The name of its file without the extension: `'items/create'` for `calls/items/create.json`. */
  readonly name: string;
}

export interface ToSavedFileOptions {
  readonly key: string;
  readonly input: unknown;
  readonly headers: RequestHeaders;
  readonly environment: string | undefined;
  /** The status of the last answer; undefined where there is none. */
  readonly status: number | undefined;
}

/** The file of a saved call. In place of a secret it names a variable: `password` is `${PASSWORD}`. */
export function toSavedFileText({ key, input, headers, environment, status }: ToSavedFileOptions): string {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toHeader(name, value)]));
  const content: Partial<Parameters<typeof savedCallFile.parse>[0] & object> = {
    call: key,
    ...(input === undefined ? {} : { input: withoutSecrets(input) }),
    ...(Object.keys(own).length === 0 ? {} : { headers: own }),
    ...(environment === undefined ? {} : { environment }),
    ...(status === undefined ? {} : { expect: { status } }),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, looksSecret(name) ? toVariable(name) : withoutSecrets(field)]),
  );
}

/** `Bearer abc` is `Bearer ${AUTHORIZATION}`. */
function toHeader(name: string, value: string): string {
  if (!looksSecret(name) || isTemplate(value)) return value;
  const [scheme = ''] = /^[A-Za-z]+ /.exec(value) ?? [];
  return `${scheme}${toVariable(name)}`;
}

/** Whoever has written a template has written no secret. */
function isTemplate(value: string): boolean {
  return /^(?:[A-Za-z]+ )?(?:\{\{[^{}]+\}\}|\$\{\w+\})$/.test(value);
}

function toVariable(name: string): string {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').replaceAll(/[^A-Za-z0-9]+/g, '_');
  return `\${${words.toUpperCase()}}`;
}
