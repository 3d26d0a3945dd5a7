import type { JsonSchema } from '../../server-runtime/schema/to-json-schema.ts';
import { type ChangeClass, type ContractChange, everybody } from './contract-change.ts';

interface Place {
  readonly at: string;
  readonly direction: 'input' | 'output';
}

/** How the limits of one kind of value differ: lengths, bounds, formats, patterns, whether unknown fields are refused. */
export function diffConstraints(before: JsonSchema, after: JsonSchema, place: Place): readonly ContractChange[] {
  return limits.flatMap((limit) => {
    const old = limit.read(before);
    const now = limit.read(after);
    if (old === now) return [];
    return [toChange({ limit, old, now, ...place })];
  });
}

type Bound = number | string | undefined;

interface Limit {
  readonly words: string;
  readonly read: (json: JsonSchema) => Bound;
  /** How the set of values changes; undefined where nobody can tell. */
  readonly effect: (old: Bound, now: Bound) => 'narrower' | 'wider' | undefined;
}

/** A lower bound admits less as it rises; no bound admits everything. */
const lower = (old: Bound, now: Bound) => (Number(now ?? -Infinity) > Number(old ?? -Infinity) ? 'narrower' : 'wider');
const upper = (old: Bound, now: Bound) => (Number(now ?? Infinity) < Number(old ?? Infinity) ? 'narrower' : 'wider');
const presence = (old: Bound, now: Bound) => (old === undefined ? 'narrower' : now === undefined ? 'wider' : undefined);

const limits: readonly Limit[] = [
  { words: 'minimum length', read: readNumber('minLength'), effect: lower },
  { words: 'maximum length', read: readNumber('maxLength'), effect: upper },
  { words: 'minimum', read: readNumber('minimum'), effect: lower },
  { words: 'maximum', read: readNumber('maximum'), effect: upper },
  { words: 'exclusive minimum', read: readNumber('exclusiveMinimum'), effect: lower },
  { words: 'exclusive maximum', read: readNumber('exclusiveMaximum'), effect: upper },
  { words: 'least number of items', read: readNumber('minItems'), effect: lower },
  { words: 'greatest number of items', read: readNumber('maxItems'), effect: upper },
  { words: 'multiple', read: readNumber('multipleOf'), effect: presence },
  { words: 'format', read: ({ format }) => (typeof format === 'string' ? format : undefined), effect: presence },
  // The pattern of a format belongs to the copy of zod that wrote it.
  {
    words: 'pattern',
    read: ({ pattern, format }) => (typeof pattern === 'string' && format === undefined ? pattern : undefined),
    effect: presence,
  },
  {
    words: 'unknown fields',
    read: ({ additionalProperties }) => (additionalProperties === false ? 'refused' : undefined),
    effect: presence,
  },
];

function readNumber(keyword: string): (json: JsonSchema) => number | undefined {
  return (json) => {
    const value = json[keyword];
    return typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER ? value : undefined;
  };
}

interface LimitChange extends Place {
  readonly limit: Limit;
  readonly old: Bound;
  readonly now: Bound;
}

function toChange({ limit, old, now, at, direction }: LimitChange): ContractChange {
  const effect = limit.effect(old, now);
  const name = at.split('.').slice(1).join('.') || direction;
  const [type, reason] = direction === 'input' ? judgeInput(effect) : judgeOutput(effect);
  const before = old === undefined ? 'none' : String(old);
  const after = now === undefined ? 'none' : String(now);
  return {
    class: type,
    at,
    message: `\`${name}\` has the ${limit.words} ${after}, it was ${before}`,
    reason,
    audience: everybody,
    before,
    after,
  };
}

function judgeInput(effect: 'narrower' | 'wider' | undefined): readonly [ChangeClass, string] {
  if (effect === 'wider') return ['safe', 'more values are taken'];
  if (effect === 'narrower') return ['breaking', 'values that were taken are refused'];
  return ['risky', 'values that were taken may be refused'];
}

function judgeOutput(effect: 'narrower' | 'wider' | undefined): readonly [ChangeClass, string] {
  if (effect === 'narrower') return ['safe', 'readers were ready for more'];
  return ['risky', 'readers may get values that they did not expect'];
}
