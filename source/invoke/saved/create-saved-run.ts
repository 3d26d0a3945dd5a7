import { type Environment, expandVariables } from '../../cli/caller-values.ts';
import { expectCapability } from '../../manifest/expect-capability.ts';
import type { Listed } from '../../manifest/manifest.ts';
import type { Marks } from '../../record/call-marks.ts';
import { findValueAt } from '../../values/json.ts';
import { toCallInput } from '../call-input.ts';
import {
  type CallResult,
  hasFailed,
  performCall,
  type RequestHeaders,
  type RunTarget,
} from '../perform-call.ts';
import { toCallField } from '../request-headers.ts';
import type { Expectation, SavedCall } from './read-saved-calls.ts';

export interface FilledCall {
  readonly saved: SavedCall;
  readonly input: unknown;
  readonly headers: RequestHeaders;
  readonly expect: Expectation;
}

export interface SavedResult {
  readonly saved: SavedCall;
  /** Missing where it was not made. */
  readonly answer: CallResult | undefined;
  /** Why it failed, a sentence each; none where it passed. */
  readonly problems: readonly string[];
}

export interface RunSavedOptions {
  readonly calls: readonly SavedCall[];
  readonly variables: Environment;
  readonly call: (filled: FilledCall) => Promise<CallResult>;
}

/** Runs saved calls, each once, and before it those whose answers it needs; or gives a call filled in with them. */
export function createSavedRun({ calls, variables, call }: RunSavedOptions) {
  const results = new Map<string, Promise<SavedResult>>();
  const find = (name: string): SavedCall => {
    const saved = calls.find((one) => one.name === name);
    if (saved === undefined) throw new Error(`there is no saved call @${name}`);
    return saved;
  };
  // `above`: the names of the calls that need this one, the outermost first.
  const fill = async (name: string, above: readonly string[] = []): Promise<FilledCall> => {
    const saved = find(name);
    const path = [...above, name];
    const { input = {}, headers, expect } = saved;
    const text = JSON.stringify({ input, headers, expect });
    const answers = new Map<string, unknown>();
    for (const needed of findNeeds(saved)) {
      if (path.includes(needed))
        throw new Error([...path, needed].map((one) => `@${one}`).join(' needs '));
      const { answer, problems } = await run(find(needed).name, path);
      if (answer === undefined || problems.length > 0)
        throw new Error(`@${needed}, which it needs, failed: ${problems.join('; ')}`);
      answers.set(needed, answer.body);
    }
    const toFilled = (_: string, value: unknown) =>
      typeof value === 'string' ? fillText(value, answers, variables) : value;
    const filled = JSON.parse(text, toFilled) as Omit<FilledCall, 'saved'>;
    const named = Object.entries(filled.headers).map(([header, value]) => [
      header.toLowerCase(),
      String(value),
    ]);
    return { ...filled, saved, headers: Object.fromEntries(named) as RequestHeaders };
  };
  const runOne = async (name: string, above: readonly string[]): Promise<SavedResult> => {
    const saved = find(name);
    try {
      const filled = await fill(name, above);
      const answer = await call(filled);
      return { saved, answer, problems: findMismatches(answer, filled.expect) };
    } catch (error) {
      return {
        saved,
        answer: undefined,
        problems: [error instanceof Error ? error.message : String(error)],
      };
    }
  };
  const run = (name: string, above: readonly string[] = []): Promise<SavedResult> => {
    const result = results.get(name) ?? runOne(name, above);
    results.set(name, result);
    return result;
  };
  return { run, fill };
}

interface SavedTarget {
  readonly target: RunTarget;
  readonly routes: readonly Listed[];
  /** Absolute path of the project. */
  readonly root: string;
  /** These come before those of the file. */
  readonly headers: RequestHeaders;
  readonly timeoutMs: number | undefined;
}

/** Makes a saved call. */
export function performSavedCall(
  { saved: { call: key }, input, headers, expect }: FilledCall,
  { target, routes, root, timeoutMs, headers: first }: SavedTarget,
): Promise<CallResult> {
  const { input: field } = toCallField(expectCapability(key, routes));
  return performCall(target, {
    key,
    input: toCallInput(field, input, root),
    wantsMarks: expect.atMost !== undefined,
    timeoutMs,
    headers: { ...headers, ...first },
  });
}

/** The names of the calls whose answers a saved call needs, each once. @throws for a variable that is written so */
export function findNeeds({
  input,
  headers,
  expect,
}: Pick<SavedCall, 'input' | 'headers' | 'expect'>): readonly string[] {
  const found = JSON.stringify({ input, headers, expect }).matchAll(TEMPLATE);
  return [...new Set(Array.from(found, (match) => toParts(match[1] ?? '').name))];
}

/** A part of the answer of another saved call: `{{login.token}}`. */
const TEMPLATE = /\{\{([^{}]+)\}\}/g;

/** A text with what its templates and variables stand for; one that is a single template becomes what that finds. */
function fillText(
  text: string,
  answers: ReadonlyMap<string, unknown>,
  variables: Environment,
): unknown {
  // Values of earlier answers are not searched for variables: only the text of the file may name one.
  const parts = text
    .split(TEMPLATE)
    .map((part, index) =>
      index % 2 === 0 ? expandVariables(part, variables) : findValue(part, answers),
    );
  const [before, whole, after] = parts;
  if (parts.length === 3 && before === '' && after === '') return whole;
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('');
}

/** The path is looked up in the data of the answer first, then in the whole of it. */
function findValue(inside: string, answers: ReadonlyMap<string, unknown>): unknown {
  const { name, steps } = toParts(inside);
  const answer = answers.get(name);
  const found = [['data', ...steps], steps]
    .map((path) => findValueAt(answer, path))
    .find((value) => value !== undefined);
  if (found === undefined)
    throw new Error(`the answer of @${name} has no ${steps.join('.') || 'data'}`);
  return found;
}

/** `login.ids[0]` as the call `login` and the steps `ids` and `0`. */
function toParts(inside: string): { readonly name: string; readonly steps: readonly string[] } {
  const path = inside.trim().replaceAll(/\[(\d+)\]/g, '.$1');
  const [name = '', ...steps] = path.split('.');
  if (name.startsWith('$')) throw new Error(`{{${inside}}} is written \${${name.slice(1)}}`);
  return { name, steps };
}

/** The ways in which an answer is not as expected, a sentence each; none where it is. */
function findMismatches(
  answer: CallResult,
  { status: wanted, body: part, atMost = {} }: Expectation,
): readonly string[] {
  const { status, body } = answer;
  const { error, message } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const reason = typeof error === 'string' ? ` (${error}: ${String(message)})` : '';
  const isStatus = wanted === undefined ? !hasFailed(answer) : status === wanted;
  const wrong = isStatus
    ? []
    : [`status: expected ${wanted ?? 'no error'}, got ${status}${reason}`];
  const missing = part === undefined ? [] : findMissing(part, body, 'body');
  return [...wrong, ...missing, ...findExcess(answer, atMost)];
}

/** What a call waited for more often than it may. */
function findExcess(
  { marks }: CallResult,
  atMost: NonNullable<Expectation['atMost']>,
): readonly string[] {
  const limits = Object.entries(atMost) as [keyof typeof atMost, number][];
  if (limits.length > 0 && marks === undefined)
    return [
      'atMost: is known of calls in this process, and of those that `capix dev` of this project has recorded',
    ];
  return limits.flatMap(([kind, limit]) => {
    const got = marks?.counts[kind] ?? 0;
    return got <= limit
      ? []
      : [`atMost.${kind}: expected ${limit} or fewer, got ${got}${toMost(marks, kind)}`];
  });
}

/** `, 20 of them: select * from lines where order_id = $1` */
function toMost(marks: Marks | undefined, kind: string): string {
  const most = marks?.repeated.find((one) => one.kind === kind);
  return most === undefined ? '' : `, ${most.times} of them: ${most.name}`;
}

/** The parts of a wanted value that another one lacks: an object may have more fields, a list is as long. */
function findMissing(wanted: unknown, got: unknown, path: string): readonly string[] {
  const isDeep =
    typeof wanted === 'object' && wanted !== null && typeof got === 'object' && got !== null;
  const isLong = !Array.isArray(wanted) || (Array.isArray(got) && got.length === wanted.length);
  if (!isDeep || !isLong) {
    const shown = got === undefined ? 'found nothing' : `got ${toShown(got)}`;
    return Object.is(wanted, got) ? [] : [`${path}: expected ${toShown(wanted)}, ${shown}`];
  }
  return Object.entries(wanted).flatMap(([name, value]) =>
    findMissing(
      value,
      findValueAt(got, [name]),
      Array.isArray(wanted) ? `${path}[${name}]` : `${path}.${name}`,
    ),
  );
}

const MAX_SHOWN = 200;

function toShown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
