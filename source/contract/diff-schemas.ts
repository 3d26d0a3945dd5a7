import { resolveReference } from '../shape/schema-fields.ts';
import { isSchemaObject, toTypeText } from '../shape/schema-type.ts';
import { type ChangeClass, type ContractChange, everybody } from './contract-change.ts';
import { diffConstraints } from './diff-constraints.ts';
import { type SchemaBranch, toSchemaBranches } from './schema-branches.ts';

export interface DiffSchemasOptions {
  /** JSON Schemas; undefined where none is declared. */
  readonly before: unknown;
  readonly after: unknown;
  /** Callers send the input, so that it may come to admit more; they read the output, so that it may come to promise more. */
  readonly direction: 'input' | 'output';
}

/** The differences between two schemas, field by field. */
export function diffSchemas({ before, after, direction }: DiffSchemasOptions): readonly ContractChange[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined || after === undefined) return [toDeclared(direction, after !== undefined)];
  const changes: ContractChange[] = [];
  compare(before, after, { at: direction, direction, roots: [before, after], above: [], changes });
  return changes;
}

/** Where the comparison is. */
export interface Place {
  /** `input.address.city` */
  readonly at: string;
  readonly direction: 'input' | 'output';
  readonly roots: readonly [before: unknown, after: unknown];
  /** The pairs that this one is inside of. */
  readonly above: readonly (readonly [unknown, unknown])[];
  /** What was found. */
  readonly changes: ContractChange[];
}

function toDeclared(direction: 'input' | 'output', isDeclared: boolean): ContractChange {
  const at = direction;
  const message = `${direction} schema was ${isDeclared ? 'added' : 'removed'}`;
  if (direction === 'output') {
    const reason = isDeclared ? 'the answer is promised now' : 'nothing is promised of the answer any more';
    return {
      class: isDeclared ? 'safe' : 'risky',
      at,
      message,
      reason,
      audience: isDeclared ? everybody : ['client', 'agents'],
    };
  }
  const reason = isDeclared
    ? 'input that was taken as it came may be refused'
    : 'input is not checked and not converted any more';
  return { class: 'risky', at, message, reason, audience: everybody };
}

function compare(before: unknown, after: unknown, place: Place): void {
  const pair = [resolve(before, place.roots[0]), resolve(after, place.roots[1])] as const;
  if (place.above.some(([a, b]) => a === pair[0] && b === pair[1])) return;
  const olds = toSchemaBranches(pair[0], place.roots[0]);
  const news = toSchemaBranches(pair[1], place.roots[1]);
  const lost = olds.filter((old) => !admits(news, old));
  const gained = news.filter((now) => !admits(olds, now));
  if (lost.length + gained.length > 0) addTypeChange({ before, after, lost, gained }, place);
  for (const old of olds) {
    const now = news.find(({ id }) => id === old.id);
    if (now !== undefined) compareBranch(old, now, { ...place, above: [...place.above, pair] });
  }
}

function resolve(json: unknown, root: unknown): unknown {
  return isSchemaObject(json) ? resolveReference(json, root) : json;
}

/** Whether one of the branches admits every value of this kind. */
function admits(branches: readonly SchemaBranch[], { id }: SchemaBranch): boolean {
  return branches.some(
    (branch) => branch.id === id || branch.id === 'any' || (branch.id === 'number' && id === 'integer'),
  );
}

interface TypeChange {
  readonly before: unknown;
  readonly after: unknown;
  /** The kinds of value that only one of the two admits. */
  readonly lost: readonly SchemaBranch[];
  readonly gained: readonly SchemaBranch[];
}

function addTypeChange({ lost, gained, ...schemas }: TypeChange, { at, direction, changes }: Place): void {
  const isBreaking = (direction === 'input' ? lost : gained).length > 0;
  const before = toTypeText(schemas.before);
  const after = toTypeText(schemas.after);
  const reasons = {
    input: isBreaking ? 'values of the old type are refused' : 'values of the old type are still taken',
    output: isBreaking ? 'readers do not expect the new type' : 'readers expect the new type already',
  };
  // Of a union of objects, which are told apart by a tag, the tag says more than the words for the whole.
  const isTagged = [...lost, ...gained].every(({ id }) => id.startsWith('object '));
  const ids = (verb: string, branches: readonly SchemaBranch[]): string[] =>
    branches.length === 0 ? [] : [`${verb} ${branches.map(({ id }) => id).join(', ')}`];
  const what =
    before === after || isTagged
      ? [...ids('lost', lost), ...ids('gained', gained)].join(' and ')
      : `changed from ${before} to ${after}`;
  const name = toFieldName(at, direction);
  changes.push({
    class: isBreaking ? 'breaking' : 'safe',
    at,
    message: `\`${name}\` ${what}`,
    reason: reasons[direction],
    audience: everybody,
    before,
    after,
  });
}

/** `address.city` of `input.address.city`; the whole is `input`. */
function toFieldName(at: string, direction: string): string {
  return at.split('.').slice(1).join('.') || direction;
}

function compareBranch(old: SchemaBranch, now: SchemaBranch, place: Place): void {
  compareValues(old, now, place);
  place.changes.push(...diffConstraints(old.json, now.json, place));
  if (old.json['items'] !== undefined || now.json['items'] !== undefined) {
    compare(old.json['items'], now.json['items'], { ...place, at: `${place.at}[]` });
  }
  if (isSchemaObject(old.json['additionalProperties']) && isSchemaObject(now.json['additionalProperties'])) {
    compare(old.json['additionalProperties'], now.json['additionalProperties'], { ...place, at: `${place.at}{}` });
  }
  compareFields(old, now, place);
}

/** The literals of an enum; a type without them admits every value. */
function compareValues(old: SchemaBranch, now: SchemaBranch, { at, direction, changes }: Place): void {
  if (old.values === undefined && now.values === undefined) return;
  const name = toFieldName(at, direction);
  const gone = old.values?.filter((value) => now.values !== undefined && !now.values.includes(value)) ?? [];
  const come = now.values?.filter((value) => old.values !== undefined && !old.values.includes(value)) ?? [];
  const texts = { at, audience: everybody, before: old.values?.join(' | '), after: now.values?.join(' | ') } as const;
  const add = (message: string, [type, reason]: readonly [ChangeClass, string]): void => {
    changes.push({ ...texts, class: type, message: `\`${name}\` ${message}`, reason });
  };
  const isInput = direction === 'input';
  const less = isInput
    ? (['breaking', 'other values are refused'] as const)
    : (['safe', 'readers know these values'] as const);
  const more = isInput
    ? (['safe', 'all old values are taken'] as const)
    : (['risky', 'readers may not know what to do with new values'] as const);
  if (gone.length > 0) add(`lost ${gone.join(', ')}`, less);
  if (come.length > 0) add(`gained ${come.join(', ')}`, more);
  if (old.values === undefined) add(`takes only ${now.values?.join(', ')} now`, less);
  if (now.values === undefined) add('takes any value now', more);
}

function compareFields({ json: old }: SchemaBranch, { json: now }: SchemaBranch, place: Place): void {
  const olds = toProperties(old['properties']);
  const news = toProperties(now['properties']);
  for (const name of new Set([...Object.keys(olds), ...Object.keys(news)])) {
    const at = `${place.at}.${name}`;
    const change = diffPresence({
      name: at.split('.').slice(1).join('.'),
      direction: place.direction,
      old: toPresence(old, name),
      now: toPresence(now, name),
      refusesOthers: now['additionalProperties'] === false,
    });
    if (change !== undefined) place.changes.push({ ...change, at });
    if (name in olds && name in news) {
      addDefaultChange(olds[name], news[name], { ...place, at });
      compare(olds[name], news[name], { ...place, at });
    }
  }
}

type Presence = 'absent' | 'optional' | 'required';

function toProperties(properties: unknown): Readonly<Record<string, unknown>> {
  return isSchemaObject(properties) ? properties : {};
}

function toPresence({ properties, required }: Readonly<Record<string, unknown>>, name: string): Presence {
  if (!Object.hasOwn(toProperties(properties), name)) return 'absent';
  return Array.isArray(required) && required.includes(name) ? 'required' : 'optional';
}

interface PresenceChange {
  readonly name: string;
  readonly direction: 'input' | 'output';
  readonly old: Presence;
  readonly now: Presence;
  /** Whether unknown fields are an error. */
  readonly refusesOthers: boolean;
}

function diffPresence({
  name,
  direction,
  old,
  now,
  refusesOthers,
}: PresenceChange): Omit<ContractChange, 'at'> | undefined {
  if (old === now) return undefined;
  const [type, reason] = direction === 'input' ? judgeInput({ old, now, refusesOthers }) : judgeOutput(old, now);
  const verb = old === 'absent' ? `was added, ${now}` : now === 'absent' ? 'was removed' : `became ${now}`;
  return { class: type, message: `\`${name}\` ${verb}`, reason, audience: everybody, before: old, after: now };
}

function judgeInput({
  old,
  now,
  refusesOthers,
}: Pick<PresenceChange, 'old' | 'now' | 'refusesOthers'>): readonly [ChangeClass, string] {
  if (now === 'required') return ['breaking', 'callers that leave it out are refused'];
  if (now === 'optional')
    return ['safe', old === 'absent' ? 'callers may leave it out' : 'callers that send it are answered as before'];
  if (refusesOthers) return ['breaking', 'callers that send it are refused'];
  return ['risky', 'it is ignored where it is sent, and code that sends it does not compile with a new client'];
}

function judgeOutput(old: Presence, now: Presence): readonly [ChangeClass, string] {
  if (now === 'absent') return ['breaking', 'readers miss it'];
  if (now === 'optional' && old === 'required') return ['breaking', 'readers count on it'];
  return ['safe', old === 'absent' ? 'readers pass over what they do not know' : 'readers were ready for less'];
}

function addDefaultChange(old: unknown, now: unknown, { at, direction, changes }: Place): void {
  if (direction === 'output' || !isSchemaObject(old) || !isSchemaObject(now)) return;
  const before = JSON.stringify(old['default']);
  const after = JSON.stringify(now['default']);
  if (before === after || before === undefined || after === undefined) return;
  const name = at.split('.').slice(1).join('.');
  changes.push({
    class: 'risky',
    at,
    message: `\`${name}\` has the default ${after}, it was ${before}`,
    reason: 'callers that leave it out get another answer',
    audience: everybody,
    before,
    after,
  });
}
