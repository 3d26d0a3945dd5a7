import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { IsSecret } from '../../../server-runtime/schema/secret-names.ts';
import { type CliError, createCliError } from '../../cli/cli-error.ts';
import { CALLS_FOLDER, readSavedNames } from '../../files/read-saved-names.ts';
import { isInside } from '../../system/paths.ts';

/**
 * The saved calls of a project in the order of their names, and `InvalidSavedCall` for each file that is none. `root`:
 * absolute path.
 */
export async function readSavedCalls(root: string) {
  const names = await readSavedNames(root);
  const results = await Promise.allSettled(names.map((name) => readOne(root, name)));
  const calls = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const problems = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as CliError] : [],
  );
  const byName = new Map<string, CliError>();
  for (const [index, result] of results.entries())
    if (result.status === 'rejected') byName.set(names[index] ?? '', result.reason as CliError);
  return { calls, problems, names, problemOf: (name: string) => byName.get(name) };
}

async function readOne(root: string, name: string): Promise<SavedCall> {
  const file = toCallFile(name);
  const fail = (place: string, reason = ''): Error =>
    createCliError('InvalidSavedCall', { file, place, reason });
  if (!(await isWithin(root, file))) throw fail('', 'a link leads out of the project');
  const text = await readFile(join(root, file), 'utf8');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw fail('', (error as Error).message);
  }
  const { data, error } = savedCallFile.safeParse(content);
  if (data !== undefined) return { ...data, name };
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  throw fail(place === '' ? '' : `, ${place}`, issue?.message);
}

/** Whether a file lies in the project by all links, whose content an error may quote. */
async function isWithin(root: string, file: string): Promise<boolean> {
  const [folder, target] = await Promise.all([realpath(root), realpath(join(root, file))]);
  return isInside(target, folder);
}

const count = z.int().min(0);

const expectation = z.strictObject({
  /** @default any that is not an error */
  status: z.int().min(100).max(599).optional(),
  /** A part of the body: objects of the answer may have more fields. */
  body: z.unknown().optional(),
  /** What it may wait for, of a call in this process or to `capix dev`: `{"db": 10}`. */
  atMost: z
    .strictObject({ db: count, http: count, redis: count, job: count, trace: count })
    .partial()
    .optional(),
});

export const savedCallFile = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().optional(),
  call: z.string(),
  input: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** Name of the environment that it goes to, unless the command line names another one. */
  environment: z.string().optional(),
  /** Whether `capix dev` makes it after a save that reaches it. @default whether the capability is a query */
  onSave: z.boolean().optional(),
  expect: expectation.prefault({}),
});

export type Expectation = z.infer<typeof expectation>;

/** A call that a project keeps in a file, with what its answer must be. */
export interface SavedCall extends z.infer<typeof savedCallFile> {
  /** The name of its file without the extension: `'items/create'` for `calls/items/create.json`. */
  readonly name: string;
}

/** A name that leads nowhere else: `items/get` for `calls/items/get.json`. */
export function toSafeName(name: string): string {
  const parts = name
    .trim()
    .replace(/\.json$/, '')
    .split(/[\\/]/);
  return parts.filter((part) => !['', '.', '..'].includes(part)).join('/');
}

/** The path of the file of a saved call, from the project. */
export function toCallFile(name: string): string {
  return `${CALLS_FOLDER}/${toSafeName(name)}.json`;
}

/** The text of a saved call. In place of a secret it names a variable: `password` is `${PASSWORD}`. */
export function toSavedFileText(
  saved: Omit<SavedCall, 'name' | 'expect'> & { readonly expect: Expectation | undefined },
  isSecret: IsSecret,
): string {
  const { call, input, headers, environment, expect } = saved;
  const named = Object.keys(headers).length === 0 ? undefined : headers;
  const toShown = (name: string, value: unknown): unknown =>
    isSecret(name) ? toVariable(name, value) : value;
  return `${JSON.stringify({ call, input, headers: named, environment, expect }, toShown, 2)}\n`;
}

/** `Bearer abc` is `Bearer ${AUTHORIZATION}`. Whoever has written a template has written no secret. */
export function toVariable(name: string, value: unknown): unknown {
  const [scheme = ''] = (name === 'authorization' && /^[A-Za-z]+ /.exec(String(value))) || [];
  if (/^(?:\{\{[^{}]+\}\}|\$\{\w+\})$/.test(String(value).slice(scheme.length))) return value;
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').replaceAll(/[^A-Za-z0-9]+/g, '_');
  return `${scheme}\${${words.toUpperCase()}}`;
}
