import type { ApiOperation, Credential } from '../document/api-operation.ts';
import type { ErrorName, GuardFacts, StepFacts } from '../document/facts.ts';
import type { ContractChange } from './contract-change.ts';
import { toChange } from './rules.ts';

type Choice = readonly Credential[];

/** Compares the credentials that let callers pass: any one of the choices, of which all parts are sent. */
export function compareCredentials(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  const [olds, news] = [old.security, now.security];
  const texts = { at: 'guards', before: toChoicesText(olds), after: toChoicesText(news) };
  if (isOpen(news)) {
    const message = `${texts.before} is not asked for any more`;
    return isOpen(olds) ? [] : [toChange('credential-removed', { ...texts, message })];
  }
  if (isOpen(olds)) return [toChange('credential-added', { ...texts, message: `${texts.after} is asked for` })];
  const refused = olds.filter((choice) => !news.some((other) => passes(choice, other)));
  const fresh = news.filter((choice) => !olds.some((other) => passes(other, choice)));
  return [
    ...refused.flatMap((choice) => toRefused(choice, news, texts)),
    ...(refused.length > 0 ? [] : fresh.map((choice) => toFresh(choice, texts))),
    ...findDroppedScopes(olds, news, texts),
  ];
}

/** Callers without a credential pass. */
function isOpen(choices: readonly Choice[]): boolean {
  return choices.length === 0 || choices.some((choice) => choice.length === 0);
}

/** Whether who sends the one choice passes where the other one is asked for. */
function passes(sent: Choice, asked: Choice): boolean {
  return asked.every((credential) =>
    sent.some((other) => isSame(other, credential) && findMissing(other, credential).length === 0),
  );
}

function isSame(one: Credential, other: Credential): boolean {
  return toCredentialText(one) === toCredentialText(other);
}

function findMissing({ scopes: had }: Credential, { scopes: asked }: Credential): readonly string[] {
  return asked.filter((scope) => !had.includes(scope));
}

type Texts = Pick<ContractChange, 'at' | 'before' | 'after'>;

function toRefused(choice: Choice, news: readonly Choice[], texts: Texts): readonly ContractChange[] {
  const isWithin = (some: Choice, all: Choice): boolean => some.every((one) => all.some((other) => isSame(one, other)));
  const scoped = news.find((other) => isWithin(other, choice));
  const scopes = scoped?.flatMap((credential) =>
    choice.filter((sent) => isSame(sent, credential)).flatMap((sent) => findMissing(sent, credential)),
  );
  if (scopes !== undefined)
    return scopes.map((scope) => toChange('scope-added', { ...texts, message: `the scope \`${scope}\` is asked for` }));
  const larger = news.find((other) => isWithin(choice, other));
  if (larger !== undefined) {
    const more = larger.filter((credential) => !choice.some((sent) => isSame(sent, credential)));
    return [toChange('credential-added', { ...texts, message: `${toChoiceText(more)} is asked for` })];
  }
  const message = `the credential is ${texts.after} now, it was ${toChoiceText(choice)}`;
  return [toChange('credential-changed', { ...texts, message })];
}

function toFresh(choice: Choice, texts: Texts): ContractChange {
  return toChange('credential-choice-added', { ...texts, message: `${toChoiceText(choice)} passes too` });
}

function findDroppedScopes(olds: readonly Choice[], news: readonly Choice[], texts: Texts): readonly ContractChange[] {
  const [had, asked] = [olds, news].map((choices) => new Set(choices.flat().flatMap(({ scopes }) => scopes)));
  return [...(had ?? [])]
    .filter((scope) => asked?.has(scope) !== true)
    .map((scope) =>
      toChange('scope-removed', { ...texts, message: `the scope \`${scope}\` is not asked for any more` }),
    );
}

function toChoicesText(choices: readonly Choice[]): string {
  return isOpen(choices) ? 'none' : choices.map(toChoiceText).join(' or ');
}

function toChoiceText(choice: Choice): string {
  return choice.map(toCredentialText).join(' and ');
}

/** `a bearer token`, `the header x-api-key` */
function toCredentialText({ scheme, name }: Credential): string {
  const said = (keyword: string): string => {
    const value = scheme[keyword];
    return typeof value === 'string' ? value : '';
  };
  switch (scheme['type']) {
    case 'http':
      return said('scheme').toLowerCase() === 'bearer'
        ? 'a bearer token'
        : `the HTTP scheme ${said('scheme').toLowerCase()}`;
    case 'apiKey': {
      const place = said('in') === 'query' ? 'query parameter' : said('in');
      return `the ${place} ${place === 'header' ? said('name').toLowerCase() : said('name')}`;
    }
    case 'openIdConnect':
      return `a token of ${said('openIdConnectUrl')}`;
    case 'oauth2':
      return `an OAuth token of the flow ${Object.keys(Object(scheme['flows'])).toSorted().join(' or ')}`;
    default:
      return `the credential ${name}`;
  }
}

type Guarded = Pick<ApiOperation, 'facts'>;

/**
 * Compares the guards that name no credential, by what they may refuse with: how they are called is nobody's affair.
 */
export function compareGuards(old: Guarded, now: Guarded): readonly ContractChange[] {
  if (old.facts === undefined || now.facts === undefined) return [];
  const [olds, news] = [toSteps(old), toSteps(now)];
  const texts = { at: 'guards', before: toNames(olds), after: toNames(news) };
  const [gone, come] = withoutPairs(olds.filter(isUnnamed), news.filter(isUnnamed));
  const [oldMute, newMute] = [gone.filter(isMute), come.filter(isMute)];
  const swapped = Math.min(oldMute.length, newMute.length);
  const [left, kept] = [oldMute.slice(0, swapped), newMute.slice(0, swapped)];
  return [
    ...kept.map(({ name }, index) =>
      toChange('guard-replaced', { ...texts, message: `guard \`${left[index]?.name}\` is \`${name}\` now` }),
    ),
    ...come
      .filter((step) => !kept.includes(step))
      .map(({ name }) =>
        toChange(olds.length === 0 ? 'first-guard-added' : 'guard-added', {
          ...texts,
          message: `guard \`${name}\` was added`,
        }),
      ),
    ...gone
      .filter((step) => !left.includes(step))
      .map(({ name }) => toChange('guard-removed', { ...texts, message: `guard \`${name}\` was removed` })),
  ];
}

type Step = StepFacts & Pick<GuardFacts, 'credentials'>;

function toSteps({ facts }: Guarded): readonly Step[] {
  return [...(facts?.guards ?? []), ...(facts?.inputGuards ?? [])];
}

function toNames(steps: readonly Step[]): string {
  return steps.length === 0 ? 'public' : steps.map(({ name }) => name).join(', ');
}

function isUnnamed({ credentials }: Step): boolean {
  return credentials === undefined;
}

function isMute({ errors }: Step): boolean {
  return errors.length === 0;
}

/**
 * The steps of each side that have no counterpart on the other: by their errors, or by their names where they declare
 * none.
 */
function withoutPairs(olds: readonly Step[], news: readonly Step[]): readonly [readonly Step[], readonly Step[]] {
  const left = [...olds];
  const toId = (step: Step): string => (isMute(step) ? step.name : step.errors.map(toErrorsText).toSorted().join());
  const come = news.filter((step) => {
    const index = left.findIndex((old) => toId(old) === toId(step));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
  return [left, come];
}

/** `404 NotFound` */
export function toErrorsText({ status, name }: ErrorName): string {
  return `${status} ${name}`;
}
