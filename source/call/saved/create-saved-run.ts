import { type Environment, expandVariables } from '../../cli/caller-values.ts';
import type { RequestHeaders } from '../run/request-headers.ts';
import type { CallResult } from '../run/run-call.ts';
import type { Expectation, SavedCall } from './read-saved-calls.ts';

/** A saved call with its templates filled in. */
export interface FilledCall {
  readonly saved: SavedCall;
  readonly input: unknown;
  /** Names in lower case. */
  readonly headers: RequestHeaders;
  readonly expect: Expectation;
}

/** The outcome of a saved call. */
export interface SavedResult {
  readonly saved: SavedCall;
  /** Missing where it was not made. */
  readonly answer: CallResult | undefined;
  /** Why it failed, a sentence each; none where it passed. */
  readonly problems: readonly string[];
}

export interface RunSavedOptions {
  readonly calls: readonly SavedCall[];
  readonly variables: TemplateValues['variables'];
  readonly call: (filled: FilledCall) => Promise<CallResult>;
}

export interface SavedRun {
  readonly run: (name: string) => Promise<SavedResult>;
  /** Runs what the call needs, and gives it filled in. Rejects with `UnfilledTemplate`. */
  readonly fill: (name: string) => Promise<FilledCall>;
}

/** Runs saved calls, each once, and before it those whose answers it needs. */
export function createSavedRun({ calls, variables, call }: RunSavedOptions): SavedRun {
  const results = new Map<string, Promise<SavedResult>>();
  // `above`: the calls that need this one, the outermost first.
  const run = async (name: string, above: readonly string[]): Promise<SavedResult> => {
    if (above.includes(name)) throw new UnfilledTemplate([...above, name].map((one) => `@${one}`).join(' needs '));
    const result = results.get(name) ?? runOne(findSaved(name), above);
    results.set(name, result);
    return result;
  };
  const findSaved = (name: string): SavedCall => {
    const saved = calls.find((one) => one.name === name);
    if (saved === undefined) throw new UnfilledTemplate(`there is no saved call @${name}`);
    return saved;
  };
  const fill = async (saved: SavedCall, above: readonly string[]) => {
    const { input = {}, headers, expect } = saved;
    const answers = new Map<string, unknown>();
    for (const name of findNeededCalls({ input, headers, expect })) {
      const { answer, problems } = await run(name, [...above, saved.name]);
      if (answer === undefined || problems.length > 0)
        throw new UnfilledTemplate(`@${name}, which it needs, failed: ${problems.join('; ')}`);
      answers.set(name, answer.body);
    }
    const filled = fillTemplates({ input, headers, expect }, { answers, variables }) as Filled;
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
  return { run: (name) => run(name, []), fill: (name) => fill(findSaved(name), []) };
}

interface Filled {
  readonly input: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}

/** A part of the answer of another saved call: `{{login.token}}`. */
const TEMPLATE = /\{\{\s*([^{}]+?)\s*\}\}/g;

export interface TemplateValues {
  /** The body of the answer of each saved call that is needed, by its name. */
  readonly answers: ReadonlyMap<string, unknown>;
  readonly variables: Environment;
}

/** Something in a saved call for which there is nothing to put in. */
export class UnfilledTemplate extends Error {}

/** The names of the saved calls whose answers a value takes parts of. */
export function findNeededCalls(value: unknown): ReadonlySet<string> {
  const names = [...JSON.stringify(value ?? null).matchAll(TEMPLATE)].map(([, inside = '']) => toParts(inside).name);
  return new Set(names);
}

/**
 * A value with what its templates and variables stand for. A text that is nothing but a template becomes what that
 * finds, of whatever type; else it is put into the text.
 *
 * @throws UnfilledTemplate, UnsetVariable
 */
export function fillTemplates(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillTemplates(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fillTemplates(field, values)]));
}

function fillText(text: string, values: TemplateValues): unknown {
  const [whole, only] = /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(text) ?? [];
  if (whole !== undefined && only !== undefined) return findValue(only, values);
  // What an answer brings is no text of the file: a variable in it is none.
  const parts = text.split(/(\{\{[^{}]+\}\})/).map((part, index) => {
    if (index % 2 === 0) return expandVariables(part, values.variables);
    const found = findValue(part.slice(2, -2).trim(), values);
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
  return parts.join('');
}

/** The path is looked up in the data of the answer first, then in the whole of it. */
function findValue(inside: string, { answers }: TemplateValues): unknown {
  const { name, steps } = toParts(inside);
  if (!answers.has(name)) throw new UnfilledTemplate(`there is no answer of @${name}`);
  for (const start of [['data', ...steps], steps]) {
    const found = start.reduce(findField, answers.get(name));
    if (found !== undefined) return found;
  }
  throw new UnfilledTemplate(`the answer of @${name} has no ${steps.join('.') || 'data'}`);
}

function findField(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** `login.ids[0]` as the call `login` and the steps `ids` and `0`. */
function toParts(inside: string): { readonly name: string; readonly steps: readonly string[] } {
  if (inside.startsWith('$')) throw new UnfilledTemplate(`{{${inside}}} is written \${${inside.slice(1)}}`);
  const [name = '', ...steps] = inside.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return { name, steps };
}

/** The ways in which an answer is not as expected, a sentence each; none where it is. */
export function findMismatches(
  { status, body }: Pick<CallResult, 'status' | 'body'>,
  { status: wanted, body: part }: Expectation,
): readonly string[] {
  const isStatus = wanted === undefined ? status < 400 : status === wanted;
  const wrong = isStatus ? [] : [`status: expected ${wanted ?? 'no error'}, got ${status}${toReason(body)}`];
  return part === undefined ? wrong : [...wrong, ...findMissing(part, body, 'body')];
}

/** The parts of a wanted value that another one lacks: an object may have more fields, a list is as long. */
function findMissing(wanted: unknown, got: unknown, path: string): readonly string[] {
  if (typeof wanted !== 'object' || wanted === null || typeof got !== 'object' || got === null)
    return Object.is(wanted, got) ? [] : [toDifference(wanted, got, path)];
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || got.length !== wanted.length) return [toDifference(wanted, got, path)];
    return wanted.flatMap((item, index) => findMissing(item, got[index], `${path}[${index}]`));
  }
  return Object.entries(wanted).flatMap(([name, value]) =>
    findMissing(value, (got as Readonly<Record<string, unknown>>)[name], `${path}.${name}`),
  );
}

function toDifference(wanted: unknown, got: unknown, path: string): string {
  return `${path}: expected ${toShown(wanted)}, ${got === undefined ? 'found nothing' : `got ${toShown(got)}`}`;
}

/** The message of a refusal. */
function toReason(body: unknown): string {
  const { error, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return typeof error === 'string' ? ` (${error}: ${String(message)})` : '';
}

const MAX_SHOWN = 200;

function toShown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
