import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { FormField } from '../../shape/form-field.ts';

/** The input of a call. */
export interface CallInput {
  /** Without the files. */
  readonly json: unknown;
  /** Absolute paths of the files of this machine that a field takes, by its name. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

/** Tells the files of a form from the rest of it: a path is from the working directory, `~` is the user's folder. */
export function toCallInput({ kind }: FormField, input: unknown, workingDirectory: string): CallInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { json: input, files: {} };
  const json: Record<string, unknown> = { ...input };
  const files: Record<string, readonly string[]> = {};
  for (const { name } of kind.kind === 'group' ? kind.fields().filter(takesFiles) : []) {
    const paths = [json[name]].flat();
    if (!paths.every((path) => typeof path === 'string')) continue;
    files[name] = paths.map((path) => resolve(workingDirectory, path.replace(/^~(?=[\\/])/, homedir())));
    delete json[name];
  }
  return { json, files };
}

function takesFiles({ kind }: FormField): boolean {
  return kind.kind === 'file' || (kind.kind === 'list' && kind.item().kind.kind === 'file');
}
