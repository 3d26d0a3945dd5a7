import type { ApiOperation, Credential } from '../document/api-operation.ts';
import type { StepFacts } from '../document/facts.ts';
import { recordOf } from '../document/schema-json.ts';
import { toSortedText } from '../document/sorted-json.ts';
import { toErrorText } from '../manifest/declared-error.ts';
import type { ContractChange } from './changes/contract-change.ts';
import { toChange } from './changes/rules.ts';
import { compareFacts, type Fact } from './compare-facts.ts';

/** The credentials and scopes that are sent together: `http bearer`, ``scope `read` of oauth2``. */
type Choice = readonly string[];

/** Compares the credentials that let callers pass: any one of the choices. */
export function compareCredentials(
  old: ApiOperation,
  now: ApiOperation,
): readonly ContractChange[] {
  const [olds, news] = [toChoices(old), toChoices(now)];
  const [before, after] = [olds, news].map((choices) => choices.map(toText).join(' or ') || 'none');
  const texts = { at: 'guards', before, after };
  if (news.length === 0)
    return olds.map((choice) =>
      toChange('guard-removed', {
        ...texts,
        message: `${toText(choice)} is not asked for any more`,
      }),
    );
  // Who passes freely sends nothing.
  const sent = olds.length === 0 ? [[]] : olds;
  const refused = sent.filter((choice) => !news.some((asked) => isWithin(asked, choice)));
  const enough =
    refused.length > 0
      ? []
      : news.filter((asked) => !sent.some((choice) => isWithin(choice, asked)));
  return [
    ...refused.map((choice) =>
      toChange('credential-changed', { ...texts, message: toRefusal(choice, news) }),
    ),
    ...enough.map((asked) =>
      toChange('credential-changed', {
        ...texts,
        message: `${toText(asked)} is enough`,
        class: 'safe',
      }),
    ),
    ...compareFacts(toFlowFacts(old), toFlowFacts(now)),
  ];
}

/** Nothing where anybody may pass. */
function toChoices({ security }: ApiOperation): readonly Choice[] {
  return security.every((choice) => choice.length > 0)
    ? security.map((choice) => choice.flatMap(toParts))
    : [];
}

function toText(choice: Choice): string {
  return choice.join(' and ');
}

function isWithin(some: Choice, all: Choice): boolean {
  return some.every((part) => all.includes(part));
}

/** What is asked for beside a choice, or that it does not do any more where something else does. */
function toRefusal(choice: Choice, news: readonly Choice[]): string {
  const isAnother = choice.length > 0 && !news.some((asked) => isWithin(choice, asked));
  return isAnother
    ? `${toText(choice)} does not do any more: ${news.map(toText).join(' or ')} is asked for`
    : `${toText(findLack(choice, news))} is asked for`;
}

/** The parts that a choice lacks of the nearest one that passes. */
function findLack(sent: Choice, news: readonly Choice[]): Choice {
  const lacks = news.map((asked) => asked.filter((part) => !sent.includes(part)));
  return lacks.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** The ways in which callers get a token, and the addresses where they ask for it. */
function toFlowFacts({ security }: ApiOperation): readonly Fact[] {
  const schemes = new Map(security.flat().map(({ name, scheme }) => [name, scheme]));
  return [...schemes].flatMap(([name, { flows }]): readonly Fact[] => {
    const ways = Object.entries(recordOf(flows));
    if (ways.length === 0) return [];
    const words = `ways to a token of ${name}`;
    const known = new Set(ways.map(([way]) => way));
    return [
      ['credential-changed', 'guards', words, known, { classes: { more: 'safe' } }],
      ...ways.map(([way, flow]): Fact => {
        const { tokenUrl, authorizationUrl } = recordOf(flow);
        const addresses = [authorizationUrl, tokenUrl].filter(Boolean).join(' and ');
        const about = `address of ${way} of ${name}`;
        return ['credential-changed', 'guards', about, addresses, { classes: { other: 'risky' } }];
      }),
    ];
  });
}

/** `http bearer`, `apiKey header x-api-key`; the letters of a header say nothing. */
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
  /** Tells it apart from the others of its operation, also from one of the same name. */
  readonly id: string;
  /** What it refuses with, and asks for, as text: guards of which both are alike may do the same. */
  readonly effect: string;
  readonly credentials: string | undefined;
}

/**
 * Compares the guards by their names and their order. A guard whose name nobody has any more, and one of another name
 * that refuses with the same errors, are one change: whether others may pass now, nobody can tell. `isToldOpen`:
 * whether
 * it is told already that no credential is asked for any more.
 */
export function compareGuards(
  old: Guarded,
  now: Guarded,
  isToldOpen: boolean,
): readonly ContractChange[] {
  const before = toSteps(old);
  const after = toSteps(now);
  const texts = { at: 'guards', before: toNames(before), after: toNames(after) };
  const lost = findOthers(before, after);
  const fresh = findOthers(after, before);
  const heirs = pairSteps(lost, fresh);
  const first = before.length === 0 ? ({ class: 'breaking' } as const) : {};
  // A credential that appears, or the last one that goes, is a change of its own.
  const isTold = ({ credentials }: Step, others: readonly Step[]): boolean =>
    credentials !== undefined && !others.some((other) => other.credentials === credentials);
  const added = fresh.filter((step) => !heirs.has(step) && !isTold(step, before));
  const removed = lost.filter(
    (step) => !new Set(heirs.values()).has(step) && !(isToldOpen && isTold(step, after)),
  );
  return [
    ...added.map(({ name }) =>
      toChange('guard-added', { ...texts, ...first, message: `guard \`${name}\` was added` }),
    ),
    ...removed.map(({ name }) =>
      toChange('guard-removed', { ...texts, message: `guard \`${name}\` was removed` }),
    ),
    ...[...heirs].map(([step, former]) =>
      toChange('guard-changed', { ...texts, message: toHeirText(former, step) }),
    ),
    ...(isReordered(before, after, heirs)
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

/** The guards that stand for former ones with the same effect, each with its former one. */
function pairSteps(lost: readonly Step[], fresh: readonly Step[]): ReadonlyMap<Step, Step> {
  const pairs = new Map<Step, Step>();
  for (const former of lost) {
    const heir = fresh.find((step) => step.effect === former.effect && !pairs.has(step));
    if (heir !== undefined) pairs.set(heir, former);
  }
  return pairs;
}

function toHeirText(former: Step, step: Step): string {
  return former.name === step.name
    ? `guard \`${step.name}\` runs at another step`
    : `guard \`${former.name}\` is \`${step.name}\` now`;
}

/** Whether those guards that both have, under whatever name, run in another order. */
function isReordered(
  before: readonly Step[],
  after: readonly Step[],
  heirs: ReadonlyMap<Step, Step>,
): boolean {
  const now = after.map((step) => heirs.get(step)?.id ?? step.id);
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
  ];
  return all.map(({ name, errors, credentials, kind }, at) => {
    const earlier = all.slice(0, at).filter((step) => step.name === name && step.kind === kind);
    const asked = credentials === undefined ? undefined : toSortedText(credentials);
    return {
      name,
      id: JSON.stringify([kind, name, earlier.length]),
      effect: JSON.stringify([errors.map(toErrorText).toSorted(), asked]),
      credentials: asked,
    };
  });
}

/** The guards of an operation with what each declares. */
export function toGuardFacts({ facts }: Guarded): readonly StepFacts[] {
  return [...(facts?.guards ?? []), ...(facts?.inputGuards ?? [])];
}
