import type { ContractRule } from './contract-rule.ts';
import { toRule } from './contract-rule.ts';

/** A change of the set of values: `other` loses some and may gain some, `unclear` cannot be told. */
export type Effect = 'narrower' | 'wider' | 'other' | 'unclear';

const ordered = ['narrower', 'wider'] as const;

/** Everything that a limit may be on, in words, and the ways in which it may change. */
const limitSubjects = {
  length: { words: 'the length of a text', effects: ordered },
  range: { words: 'the smallest or greatest number', effects: ordered },
  multiple: { words: 'the number that values are a multiple of', effects: [...ordered, 'other'] },
  format: { words: 'the format of a text or number', effects: [...ordered, 'other', 'unclear'] },
  pattern: { words: 'the regular expression that a text matches', effects: [...ordered, 'other', 'unclear'] },
  encoding: { words: 'the encoding of a text', effects: [...ordered, 'unclear'] },
  'item-count': { words: 'the number of items in a list', effects: ordered },
  'unique-items': { words: 'unique items', effects: ordered },
  'field-count': { words: 'the number of fields in an object', effects: ordered },
  'field-names': { words: 'the names that fields may have', effects: ordered },
  'unknown-fields': { words: 'the fields that are allowed beside those that are named', effects: ordered },
  'file-size': { words: 'the size of a file', effects: ordered },
  'media-type': { words: 'the type of a file', effects: [...ordered, 'other'] },
} as const satisfies Readonly<Record<string, { readonly words: string; readonly effects: readonly Effect[] }>>;

type Subjects = typeof limitSubjects;

export type LimitSubject = keyof Subjects;

/** `input-length-narrower` */
export type LimitRuleId = {
  readonly [Subject in LimitSubject]: `${'input' | 'output'}-${Subject}-${Subjects[Subject]['effects'][number]}`;
}[LimitSubject];

const effectWords = {
  narrower: 'fewer values fit',
  wider: 'more values fit',
  other: 'values that fitted no longer do, and others may',
  unclear: 'nobody can tell which values fit',
} as const satisfies Record<Effect, string>;

/** Rules of limits, made of what they are on and how the set of values changes. */
export const limitRules = Object.fromEntries(
  (['input', 'output'] as const).flatMap((direction) =>
    Object.entries(limitSubjects).flatMap(([subject, { words, effects }]) =>
      effects.map((effect) => {
        const when = `the rule for ${words} changed: ${effectWords[effect]}`;
        return [`${direction}-${subject}-${effect}`, toLimitRule(when, { direction, effect })];
      }),
    ),
  ),
) as Readonly<Record<LimitRuleId, ContractRule>>;

interface LimitKind {
  readonly direction: 'input' | 'output';
  readonly effect: Effect;
}

function toLimitRule(when: string, { direction, effect }: LimitKind): ContractRule {
  if (direction === 'output') {
    if (effect === 'narrower') return toRule('safe', when, ['readers were ready for more']);
    return toRule('risky', when, ['readers may get values that they did not expect']);
  }
  if (effect === 'wider') return toRule('safe', when, ['more values are accepted']);
  if (effect === 'unclear') return toRule('risky', when, ['values that were accepted may be refused']);
  return toRule('breaking', when, ['values that were accepted are refused']);
}
