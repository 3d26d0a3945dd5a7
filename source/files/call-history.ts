import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { looksSecret } from '../../server-runtime/schema/secret-names.ts';
import { writeFileWhole } from './write-file.ts';

/** A call that was made from the tool. */
export interface PastCall {
  readonly key: string;
  /** Without the fields whose name looks secret. */
  readonly input: unknown;
  readonly status: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const MAX_CALLS = 50;

/** The calls that were made in a project, the last one first; none where they cannot be read. */
export async function readCallHistory(root: string): Promise<readonly PastCall[]> {
  try {
    const calls = JSON.parse(await readFile(toFile(root), 'utf8')) as unknown;
    return Array.isArray(calls) ? (calls as readonly PastCall[]).filter(({ key }) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps a call with those before it, in the project's `node_modules/.cache`; a project without `node_modules` keeps none. Gives all of them. */
export async function keepCall(root: string, call: PastCall): Promise<readonly PastCall[]> {
  const kept = { ...call, input: withoutSecrets(call.input) };
  const before = await readCallHistory(root);
  const isSame = (other: PastCall): boolean =>
    other.key === kept.key && JSON.stringify(other.input) === JSON.stringify(kept.input);
  const calls = [kept, ...before.filter((other) => !isSame(other))].slice(0, MAX_CALLS);
  if (existsSync(join(root, 'node_modules'))) {
    await mkdir(dirname(toFile(root)), { recursive: true });
    await writeFileWhole(toFile(root), `${JSON.stringify(calls)}\n`);
  }
  return calls;
}

function toFile(root: string): string {
  return join(root, 'node_modules', '.cache', 'capix', 'calls.json');
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !looksSecret(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutSecrets(field)]));
}
