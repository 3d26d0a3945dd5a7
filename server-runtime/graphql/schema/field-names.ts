import type { Operation } from '../../registry/compile-registry.ts';
import {
  isSameNoun,
  matchNameRule,
  splitWords,
  toPascal,
  toSingular,
} from '../../routing/infer-route.ts';

/** The names of fields that an application gives itself, by the keys of capabilities. */
export type FieldNames = Readonly<Record<string, string | undefined>>;

/**
 * The field of a capability: its group and its name, without the group where the name says it already, as `getUser` of
 * `users` does. It depends on the key alone, so that no new capability changes the field of another one.
 */
export function toFieldName({ groups, name }: Pick<Operation, 'groups' | 'name'>): string {
  const above = namesGroup(name, groups.at(-1)) ? groups.slice(0, -1) : groups;
  return toLowerFirst([...above, name].map(toPascal).join(''));
}

/** Whether the words of a name behind its verb are those of its group. */
function namesGroup(name: string, group = ''): boolean {
  const noun = splitWords(name).slice(1).join('');
  return noun !== '' && isSameNoun(noun, group);
}

/**
 * The name of the type of an answer whose schema has none: the noun of its group, and of its name where that is another
 * one. `users.getUser` gives a `User`, `users.getStats` a `UserStats`, and `users.merge` a `UserMerge`.
 */
export function toTypeHint({ groups, name }: Pick<Operation, 'groups' | 'name'>): string {
  const noun = matchNameRule(name)?.remainder ?? name;
  const group = groups.at(-1);
  if (group === undefined) return toPascal(noun || name);
  const base = groups.slice(0, -1).map(toPascal).join('') + toSingular(toPascal(group));
  return noun === '' || namesGroup(name, group) ? base : base + toPascal(noun);
}

/**
 * Orders capabilities as their answers get names: an answer of `users.merge` that is a `User` should not be what names
 * that type.
 */
export function toNamingRank({ name }: Pick<Operation, 'name'>): number {
  const intent = matchNameRule(name)?.intent;
  if (intent === 'query') return 0;
  return intent === undefined ? 2 : 1;
}

export function toLowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A fault that keeps a server from starting, and the key of the capability with the line that solves it. */
export interface FieldFault {
  readonly key: string;
  readonly message: string;
  readonly hint: string;
}

/** Finds keys that have one field, names that are none, and names for capabilities that are not there. */
export function findFieldFaults(
  operations: readonly Pick<Operation, 'key' | 'groups' | 'name'>[],
  names: FieldNames,
): readonly FieldFault[] {
  const owners = new Map<string, string>();
  const faults: FieldFault[] = [];
  for (const operation of operations) {
    const { key } = operation;
    const field = names[key] ?? toFieldName(operation);
    const other = owners.get(field);
    if (!isName(field))
      faults.push({
        key,
        message: `The field ${JSON.stringify(field)} of \`${key}\` is not a name of GraphQL.`,
        hint: 'Use letters, digits and `_`, not starting with a digit or `__`.',
      });
    else if (other === undefined) owners.set(field, key);
    else
      faults.push({
        key,
        message: `\`${other}\` and \`${key}\` are one field in GraphQL: \`${field}\`.`,
        hint: `Name one of them: \`graphqlTransport({ fields: { '${key}': '${toFreeName(operation, owners)}' } })\`.`,
      });
  }
  const keys = new Set(operations.map(({ key }) => key));
  for (const key of Object.keys(names).filter((each) => !keys.has(each)))
    faults.push({
      key,
      message: `\`fields\` of \`graphqlTransport\` names \`${key}\`, and there is no such capability.`,
      hint: 'Take it out, or write the key as `capix list` does.',
    });
  return faults;
}

/** @throws Error that names the faults, with the lines that solve them */
export function expectFaultless(faults: readonly FieldFault[]): void {
  if (faults.length > 0)
    throw new Error(faults.map(({ message, hint }) => `${message} ${hint}`).join('\n'));
}

/** Every group of the key before its name, or that with a number behind it. */
function toFreeName(
  { groups, name }: Pick<Operation, 'groups' | 'name'>,
  taken: ReadonlyMap<string, string>,
): string {
  const whole = toLowerFirst([...groups, name].map(toPascal).join(''));
  let free = whole;
  for (let count = 2; taken.has(free); count++) free = `${whole}${count}`;
  return free;
}

/** Whether GraphQL takes it as a name of the application. */
export function isName(text: string): boolean {
  return /^(?!__)[_A-Za-z]\w*$/.test(text);
}

/** The nearest name for a text that may be none: `zip-code` becomes `zip_code`. */
export function toName(text: string): string {
  return text.replaceAll(/\W/g, '_').replace(/^(?=\d|$)/, '_');
}
