import type { IsSecret } from '../../server-runtime/schema/secret-names.ts';
import { readJsonCache, writeCache } from './project-cache.ts';

export interface PastCall {
  readonly key: string;
  /** Without the fields that hold secrets. */
  readonly input: unknown;
  readonly status: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const FILE = 'calls.json';
const MAX_CALLS = 50;

/** The calls that were made in a project, the last one first; none where they cannot be read. */
export async function readCallHistory(root: string): Promise<readonly PastCall[]> {
  const calls = await readJsonCache(root, FILE);
  return Array.isArray(calls)
    ? (calls as readonly PastCall[]).filter(({ key }) => typeof key === 'string')
    : [];
}

/**
 * Keeps a call with those before it, without the fields whose names are secrets by `isSecret`. Gives all of them, also
 * where they could not be written.
 */
export async function keepCall(
  root: string,
  call: PastCall,
  isSecret: IsSecret,
): Promise<readonly PastCall[]> {
  const saved = { ...call, input: withoutSecrets(call.input, isSecret) };
  const before = await readCallHistory(root);
  const isSame = (other: PastCall): boolean =>
    other.key === saved.key && JSON.stringify(other.input) === JSON.stringify(saved.input);
  const calls = [saved, ...before.filter((other) => !isSame(other))].slice(0, MAX_CALLS);
  await writeCache(root, FILE, `${JSON.stringify(calls)}\n`).catch(() => {});
  return calls;
}

function withoutSecrets(value: unknown, isSecret: IsSecret): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !isSecret(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutSecrets(field, isSecret)]));
}
