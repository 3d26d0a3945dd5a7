import { type Environment, expandVariables } from '../../cli/caller-values.ts';
import type { RequestHeaders } from '../run/request-headers.ts';
import { type CallResult, FAILED_STATUS } from '../run/run-call.ts';
import type { Expectation, SavedCall } from './read-saved-calls.ts';

/** A saved call with its templates filled in. */
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
  const findSaved = (name: string): SavedCall => {
    const saved = calls.find((one) => one.name === name);
    if (saved === undefined) throw new Error(`there is no saved call @${name}`);
    return saved;
  };
  // `above`: the calls that need this one, the outermost first.
  const run = async (name: string, above: readonly string[]): Promise<SavedResult> => {
    if (above.includes(name)) throw new Error([...above, name].map((one) => `@${one}`).join(' needs '));
    const result = results.get(name) ?? runOne(findSaved(name), above);
    results.set(name, result);
    return result;
  };
  const fill = async (saved: SavedCall, above: readonly string[]): Promise<FilledCall> => {
    const { input = {}, headers, expect } = saved;
    const answers = new Map<string, unknown>();
    for (const name of findNeededCalls({ input, headers, expect })) {
      const { answer, problems } = await run(name, [...above, saved.name]);
      if (answer === undefined || problems.length > 0)
        throw new Error(`@${name}, which it needs, failed: ${problems.join('; ')}`);
      answers.set(name, answer.body);
    }
    const filled = fillTemplates({ input, headers, expect }, { answers, variables }) as Omit<FilledCall, 'saved'>;
    const named = Object.entries(filled.headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
    return { ...filled, saved, headers: Object.fromEntries(named) };
  };
  const runOne = async (saved: SavedCall, above: readonly string[]): Promise<SavedResult> => {
    try {
      const filled = await fill(saved, above);
      const answer = await call(filled);
      return { saved, answer, problems: findMismatches(answer, filled.expect) };
    } catch (error) {
      return { saved, answer: undefined, problems: [error instanceof Error ? error.message : String(error)] };
    }
  };
  return {
    run: (name: string): Promise<SavedResult> => run(name, []),
    fill: async (name: string): Promise<FilledCall> => fill(findSaved(name), []),
  };
}

/** A part of the answer of another saved call: `{{login.token}}`. */
const TEMPLATE = /\{\{([^{}]+)\}\}/g;

/** The names of the saved calls whose answers a value takes parts of. */
function findNeededCalls(value: unknown): ReadonlySet<string> {
  return new Set([...JSON.stringify(value).matchAll(TEMPLATE)].map(([, inside = '']) => toParts(inside).name));
}

interface TemplateValues {
  /** The body of the answer of each saved call that is needed, by its name. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly variables: Environment;
}

/** A value with what its templates and variables stand for. A text that is one template becomes what that finds. */
function fillTemplates(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fillTemplates(field, values)]));
}

function fillText(text: string, { answers, variables }: TemplateValues): unknown {
  // What an answer brings is no text of the file: a variable in it is none.
  const parts = text
    .split(TEMPLATE)
    .map((part, index) => (index % 2 === 0 ? expandVariables(part, variables) : findValue(part, answers)));
  const [before, whole, after] = parts;
  if (parts.length === 3 && before === '' && after === '') return whole;
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('');
}

/** The path is looked up in the data of the answer first, then in the whole of it. */
function findValue(inside: string, answers: TemplateValues['answers']): unknown {
  const { name, steps } = toParts(inside);
  for (const start of [['data', ...steps], steps]) {
    const found = start.reduce(findField, answers.get(name));
    if (found !== undefined) return found;
  }
  throw new Error(`the answer of @${name} has no ${steps.join('.') || 'data'}`);
}

function findField(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** `login.ids[0]` as the call `login` and the steps `ids` and `0`. */
function toParts(inside: string): { readonly name: string; readonly steps: readonly string[] } {
  const [name = '', ...steps] = inside
    .trim()
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.');
  if (name.startsWith('$')) throw new Error(`{{${inside}}} is written \${${name.slice(1)}}`);
  return { name, steps };
}

/** The ways in which an answer is not as expected, a sentence each; none where it is. */
function findMismatches(
  { status, body }: Pick<CallResult, 'status' | 'body'>,
  { status: wanted, body: part }: Expectation,
): readonly string[] {
  const { error, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const reason = typeof error === 'string' ? ` (${error}: ${String(message)})` : '';
  const isStatus = wanted === undefined ? status < FAILED_STATUS : status === wanted;
  const wrong = isStatus ? [] : [`status: expected ${wanted ?? 'no error'}, got ${status}${reason}`];
  return part === undefined ? wrong : [...wrong, ...findMissing(part, body, 'body')];
}

/** The parts of a wanted value that another one lacks: an object may have more fields, a list is as long. */
function findMissing(wanted: unknown, got: unknown, path: string): readonly string[] {
  const isDeep = typeof wanted === 'object' && wanted !== null && typeof got === 'object' && got !== null;
  const isLong = !Array.isArray(wanted) || (Array.isArray(got) && got.length === wanted.length);
  if (!isDeep || !isLong) {
    const shown = got === undefined ? 'found nothing' : `got ${toShown(got)}`;
    return Object.is(wanted, got) ? [] : [`${path}: expected ${toShown(wanted)}, ${shown}`];
  }
  return Object.entries(wanted).flatMap(([name, value]) =>
    findMissing(value, findField(got, name), Array.isArray(wanted) ? `${path}[${name}]` : `${path}.${name}`),
  );
}

const MAX_SHOWN = 200;

function toShown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
