import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findNearest } from '../../../server-runtime/errors/expect-options.ts';
import { createCliError } from '../../cli/errors/cli-error.ts';
import { CALLS_FOLDER, readSavedNames } from '../../files/read-saved-names.ts';
import { type SavedCall, savedCallFile } from './saved-call.ts';

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
