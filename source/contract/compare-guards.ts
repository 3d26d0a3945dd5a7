import type { ApiOperation, Credential } from '../document/api-operation.ts';
import type { StepFacts } from '../document/facts.ts';
import { toErrorText } from '../manifest/declared-error.ts';
import { type ContractChange, toChange } from './rules.ts';

/** The credentials and scopes that are sent together: `http bearer`, ``scope `read` of oauth2 clientCredentials``. */
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
      toChange('credential-changed', {
        ...texts,
        message: `${toText(findLack(choice, news))} is asked for`,
      }),
    ),
    ...enough.map((asked) =>
      toChange('credential-changed', {
        ...texts,
        message: `${toText(asked)} is enough`,
        class: 'safe',
      }),
    ),
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

/** The parts that a choice lacks of the nearest one that passes. */
function findLack(sent: Choice, news: readonly Choice[]): Choice {
  const lacks = news.map((asked) => asked.filter((part) => !sent.includes(part)));
  return lacks.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** `http bearer`, `apiKey header x-api-key`; the letters of a header say nothing. */
function toParts({ scheme, name, scopes }: Credential): Choice {
  const {
    type,
    scheme: word = '',
    in: place,
    name: sent = '',
    openIdConnectUrl: url,
    flows,
  } = scheme;
  const field = place === 'header' ? String(sent).toLowerCase() : sent;
  const words = [
    type,
    String(word).toLowerCase(),
    place,
    field,
    url,
    ...Object.keys(Object(flows)).toSorted(),
  ];
  const text = words.filter(Boolean).join(' ') || name;
  return [text, ...scopes.map((scope) => `scope \`${scope}\` of ${text}`)];
}

type Guarded = Pick<ApiOperation, 'facts'>;

/** Compares the guards that name no credential, by the errors that they declare, or else by their names. */
export function compareGuards(old: Guarded, now: Guarded): readonly ContractChange[] {
  const [olds, news] = [toSteps(old), toSteps(now)];
  const toNames = (steps: readonly StepFacts[]): string =>
    steps.map(({ name }) => name).join(', ') || 'public';
  const texts = { at: 'guards', before: toNames(olds), after: toNames(news) };
  const [before, after] = [toUnnamed(olds), toUnnamed(news)];
  const come = [...after].filter(([id]) => !before.has(id));
  const gone = [...before].filter(([id]) => !after.has(id));
  const first = olds.length === 0 ? ({ class: 'breaking' } as const) : {};
  return [
    ...come.map(([, name]) =>
      toChange('guard-added', { ...texts, ...first, message: `guard \`${name}\` was added` }),
    ),
    ...gone.map(([, name]) =>
      toChange('guard-removed', { ...texts, message: `guard \`${name}\` was removed` }),
    ),
  ];
}

export function toSteps({ facts }: Guarded) {
  return [
    ...(facts?.guards ?? []),
    ...(facts?.inputGuards ?? []).map((step) => ({ ...step, credentials: undefined })),
  ];
}

/** The names of the guards by what they are known by; of several that are alike, each for itself. */
function toUnnamed(steps: ReturnType<typeof toSteps>): ReadonlyMap<string, string> {
  const unnamed = steps.filter(({ credentials }) => credentials === undefined);
  const ids = unnamed.map(({ errors, name }) => errors.map(toErrorText).toSorted().join() || name);
  return new Map(
    unnamed.map(({ name }, at) => [
      `${ids[at]} ${ids.slice(0, at).filter((id) => id === ids[at]).length}`,
      name,
    ]),
  );
}
