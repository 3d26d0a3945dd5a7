import { type StepFacts, toMiddleware, toRefusing } from '../document/facts.ts';
import { isSameJson } from '../document/fits-branch.ts';
import type { ApiOperation, Credential } from '../document/operations/api-operation.ts';
import { recordOf, toSortedText } from '../document/schema-json.ts';
import { toErrorText } from '../manifest/declared-error.ts';
import {
  type ContractChange,
  compareFacts,
  compareMembers,
  type Fact,
  safeIfMore,
  toChange,
} from './changes/contract-change.ts';

/** The credentials and scopes that are sent together: `http bearer`, ``scope `read` of oauth2``. */
type Choice = readonly string[];

type Secured = Pick<ApiOperation, 'security'>;

/**
 * Compares the credentials that let callers pass: any one of the choices. A change of a scheme, or of the security of
 * the whole document, is one of that, since other operations have it, too.
 */
export function compareCredentials(
  old: ApiOperation,
  now: ApiOperation,
): readonly ContractChange[] {
  const changes = compareChoices(old, now);
  if (changes.length === 0) return changes;
  const ofSchemes = compareSchemes(old, now);
  const toClasses = (all: readonly ContractChange[]) =>
    [...new Set(all.map((change) => change.class))].toSorted();
  if (isSameJson(toClasses(ofSchemes), toClasses(changes))) return ofSchemes;
  const isOfAll = [old, now].every(({ source }) => source?.operation['security'] === undefined);
  if (!isOfAll) return changes;
  return changes.map((change) => ({
    ...change,
    component: { name: 'security', message: change.message },
  }));
}

/** The changes of schemes that both sides ask for in the same way, each by itself. */
function compareSchemes({ security: older }: Secured, { security: newer }: Secured) {
  const toNames = (security: Secured['security']) =>
    security.map((choice) => choice.map(({ name, scopes }) => [name, scopes]));
  if (!isSameJson(toNames(older), toNames(newer))) return [];
  const toSchemes = (security: Secured['security']) =>
    new Map(security.flat().map((each) => [each.name, { ...each, scopes: [] }]));
  const before = toSchemes(older);
  return [...toSchemes(newer)].flatMap(([name, after]) => {
    const old = before.get(name) ?? after;
    return compareChoices({ security: [[old]] }, { security: [[after]] }).map((change) => ({
      ...change,
      component: { name: `credential ${name}`, message: change.message },
    }));
  });
}

function compareChoices(old: Secured, now: Secured): readonly ContractChange[] {
  const older = toChoices(old);
  const newer = toChoices(now);
  const texts = { at: 'guards', before: toTexts(older), after: toTexts(newer) };
  if (newer.length === 0)
    return older.map((choice) =>
      toChange('guard-removed', {
        ...texts,
        message: `${toText(choice)} is not asked for any more`,
      }),
    );
  // Callers that pass freely send nothing.
  const sent = older.length === 0 ? [[]] : older;
  const refused = sent.filter((choice) => !newer.some((required) => isWithin(required, choice)));
  const isNew = (required: Choice): boolean => !sent.some((choice) => isWithin(choice, required));
  const enough = refused.length > 0 ? [] : newer.filter(isNew);
  return [
    ...refused.map((choice) =>
      toChange('credential-changed', { ...texts, message: toRefusal(choice, newer) }),
    ),
    ...enough.map((required) =>
      toChange('credential-changed', {
        ...texts,
        message: `${toText(required)} is enough`,
        class: 'safe',
      }),
    ),
    ...compareFacts(toFlowFacts(old), toFlowFacts(now)),
  ];
}

/** The choices; none where every caller may pass. */
function toChoices({ security }: Secured): readonly Choice[] {
  return security.every((choice) => choice.length > 0)
    ? security.map((choice) => choice.flatMap(toParts))
    : [];
}

function toText(choice: Choice): string {
  return choice.join(' and ');
}

function toTexts(choices: readonly Choice[]): string {
  return choices.map(toText).join(' or ') || 'none';
}

function isWithin(some: Choice, all: Choice): boolean {
  return some.every((part) => all.includes(part));
}

/**
 * Why a caller with one choice of credentials is refused: the credentials that are required beside it, or those that
 * are required in its place.
 */
function toRefusal(choice: Choice, newer: readonly Choice[]): string {
  const isAnother = choice.length > 0 && !newer.some((required) => isWithin(choice, required));
  return isAnother
    ? `${toText(choice)} does not do any more: ${toTexts(newer)} is asked for`
    : `${toText(findLack(choice, newer))} is asked for`;
}

/** The parts that a choice lacks of the nearest one that passes. */
function findLack(sent: Choice, newer: readonly Choice[]): Choice {
  const lacks = newer.map((required) => required.filter((part) => !sent.includes(part)));
  return lacks.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** The ways in which callers get a token, and the addresses where they ask for it. */
function toFlowFacts({ security }: Secured): readonly Fact[] {
  const schemes = new Map(security.flat().map(({ name, scheme }) => [name, scheme]));
  return [...schemes].flatMap(([name, { flows }]): readonly Fact[] => {
    const ways = Object.entries(recordOf(flows));
    if (ways.length === 0) return [];
    const common = { rule: 'credential-changed', at: 'guards' } as const;
    return [
      {
        ...common,
        id: `flows ${name}`,
        label: `ways to a token of ${name}`,
        value: new Set(ways.map(([way]) => way)),
        classes: safeIfMore,
      },
      ...ways.map(([way, flow]): Fact => {
        const { tokenUrl, authorizationUrl } = recordOf(flow);
        return {
          ...common,
          id: `flow ${way} ${name}`,
          label: `address of ${way} of ${name}`,
          value: [authorizationUrl, tokenUrl].filter(Boolean).join(' and '),
          classes: { other: 'risky' },
        };
      }),
    ];
  });
}

/** `http bearer`, `apiKey header x-api-key`; the names of headers have no letter case. */
function toParts({ scheme, name, scopes }: Credential): Choice {
  const { type, scheme: word = '', in: place, name: sent = '', openIdConnectUrl: url } = scheme;
  const field = place === 'header' ? String(sent).toLowerCase() : sent;
  const words = [type, String(word).toLowerCase(), place, field, url];
  const text = words.filter(Boolean).join(' ') || name;
  return [text, ...scopes.map((scope) => `scope \`${scope}\` of ${text}`)];
}

type Guarded = Pick<ApiOperation, 'facts'>;

/** A guard of an operation, as it is compared. */
interface Step extends Pick<StepFacts, 'name'> {
  readonly word: 'guard' | 'middleware';
  /** Distinguishes it from all others of its operation, also from one with the same name. */
  readonly id: string;
  /** Its errors and credentials as text. Two guards with the same text may do the same. */
  readonly effect: string;
  readonly credentials: string | undefined;
}

/**
 * Compares the guards by their names and their order. A guard whose name no longer exists and a new one that refuses
 * with the same errors are one change, of which the document does not say whether other callers pass now. `isOpen`:
 * another change says already that no credential is required any more.
 */
export function compareGuards(
  old: Guarded,
  now: Guarded,
  isOpen: boolean,
): readonly ContractChange[] {
  const before = toSteps(old);
  const after = toSteps(now);
  const texts = { at: 'guards', before: toNames(before), after: toNames(after) };
  const lost = findOthers(before, after);
  const fresh = findOthers(after, before);
  const successors = pairSteps(lost, fresh);
  const replaced = new Set(successors.values());
  const first = before.length === 0 ? ({ class: 'breaking' } as const) : {};
  // A credential that appears, or the last one that goes, is a change of its own.
  const isElsewhere = ({ credentials }: Step, others: readonly Step[]): boolean =>
    credentials !== undefined && !others.some((other) => other.credentials === credentials);
  const added = fresh.filter((step) => !successors.has(step) && !isElsewhere(step, before));
  const removed = lost.filter(
    (step) => !replaced.has(step) && !(isOpen && isElsewhere(step, after)),
  );
  return [
    ...added.map(({ word, name }) =>
      toChange('guard-added', { ...texts, ...first, message: `${word} \`${name}\` was added` }),
    ),
    ...removed.map(({ word, name }) =>
      toChange('guard-removed', { ...texts, message: `${word} \`${name}\` was removed` }),
    ),
    ...[...successors].map(([step, former]) =>
      toChange('guard-changed', { ...texts, message: toSuccessorText(former, step) }),
    ),
    ...(isReordered(before, after, successors)
      ? [toChange('guard-changed', { ...texts, message: 'guards run in another order' })]
      : []),
  ];
}

function toNames(steps: readonly Step[]): string {
  return steps.map(({ name }) => name).join(', ') || 'public';
}

function findOthers(steps: readonly Step[], others: readonly Step[]): readonly Step[] {
  const ids = new Set(others.map(({ id }) => id));
  return steps.filter(({ id }) => !ids.has(id));
}

/** Pairs each lost guard with a new one that has the same errors and credentials: the new one is the key. */
function pairSteps(lost: readonly Step[], fresh: readonly Step[]): ReadonlyMap<Step, Step> {
  const pairs = new Map<Step, Step>();
  for (const former of lost) {
    const successor = fresh.find((step) => step.effect === former.effect && !pairs.has(step));
    if (successor !== undefined) pairs.set(successor, former);
  }
  return pairs;
}

function toSuccessorText(former: Step, step: Step): string {
  return former.name === step.name
    ? `${step.word} \`${step.name}\` runs at another step`
    : `${former.word} \`${former.name}\` is \`${step.name}\` now`;
}

/** Whether those guards that both have, under whatever name, run in another order. */
function isReordered(
  before: readonly Step[],
  after: readonly Step[],
  successors: ReadonlyMap<Step, Step>,
): boolean {
  const now = after.map((step) => successors.get(step)?.id ?? step.id);
  const common = before.map(({ id }) => id).filter((id) => now.includes(id));
  return now.filter((id) => common.includes(id)).join() !== common.join();
}

function toSteps({ facts }: Guarded): readonly Step[] {
  const all = [
    ...(facts?.guards ?? []).map((step) => ({ ...step, kind: 'guard' })),
    ...(facts?.inputGuards ?? []).map((step) => ({
      ...step,
      kind: 'input guard',
      credentials: undefined,
    })),
    ...toRefusing(facts).map((step) => ({ ...step, kind: 'middleware', credentials: undefined })),
  ];
  return all.map(({ name, errors, credentials, kind }, at) => {
    const earlier = all.slice(0, at).filter((step) => step.name === name && step.kind === kind);
    const required = credentials === undefined ? undefined : toSortedText(credentials);
    return {
      name,
      word: kind === 'middleware' ? 'middleware' : 'guard',
      id: JSON.stringify([kind, name, earlier.length]),
      effect: JSON.stringify([errors.map(toErrorText).toSorted(), required]),
      credentials: required,
    };
  });
}

/**
 * Compares the middleware of the application that declares no refusal. The document does not say what it does, so each
 * one that came or went is a change: it may check a role without declaring it.
 */
export function compareMiddleware(old: Guarded, now: Guarded): readonly ContractChange[] {
  const toNames = ({ facts }: Guarded, { facts: others }: Guarded): readonly string[] => {
    const refusing = new Set([facts, others].flatMap(toRefusing).map(({ name }) => name));
    return toMiddleware(facts)
      .filter(({ name }) => !refusing.has(name))
      .map(({ name }) => `middleware \`${name}\``);
  };
  const rule = 'middleware-changed';
  const found = { at: 'middleware', added: rule, removed: rule } as const;
  return compareMembers(toNames(old, now), toNames(now, old), found);
}
