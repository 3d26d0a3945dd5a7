import type { ApiOperation, Credential } from '../document/api-operation.ts';
import type { ErrorName } from '../document/facts.ts';
import type { ContractChange } from './contract-change.ts';
import { toChange } from './rules.ts';

/** Compares the credentials that let callers pass: any one of the choices, of which all parts are sent. */
export function compareCredentials(old: ApiOperation, now: ApiOperation): readonly ContractChange[] {
  const [olds, news] = [old.security.map(toParts), now.security.map(toParts)];
  const texts = { at: 'guards', before: toChoicesText(olds), after: toChoicesText(news) };
  if (isOpen(news)) {
    const message = `${texts.before} is not asked for any more`;
    return isOpen(olds) ? [] : [toChange('credential-removed', { ...texts, message })];
  }
  if (isOpen(olds)) return [toChange('credential-added', { ...texts, message: `${texts.after} is asked for` })];
  const refused = olds.filter((sent) => !news.some((asked) => isWithin(asked, sent)));
  const fresh = refused.length > 0 ? [] : news.filter((asked) => !olds.some((sent) => isWithin(asked, sent)));
  const [had, asked] = [olds.flat().filter(isScope), new Set(news.flat())];
  const dropped = [...new Set(had)].filter((scope) => !asked.has(scope));
  return [
    ...refused.flatMap((sent) =>
      toMissing(sent, news).map((part) => {
        if (part === undefined) {
          const message = `the credential is ${texts.after} now, it was ${sent.join(' and ')}`;
          return toChange('credential-changed', { ...texts, message });
        }
        const rule = isScope(part) ? 'scope-added' : 'credential-added';
        return toChange(rule, { ...texts, message: `${part} is asked for` });
      }),
    ),
    ...fresh.map((choice) =>
      toChange('credential-choice-added', { ...texts, message: `${choice.join(' and ')} passes too` }),
    ),
    ...dropped.map((scope) => toChange('scope-removed', { ...texts, message: `${scope} is not asked for any more` })),
  ];
}

/** A credential, or a scope of it, as its callers know it: `a bearer token`, ``the scope `read` of a bearer token``. */
type Part = string;

function isOpen(choices: readonly (readonly Part[])[]): boolean {
  return choices.length === 0 || choices.some((choice) => choice.length === 0);
}

function isWithin(some: readonly Part[], all: readonly Part[]): boolean {
  return some.every((part) => all.includes(part));
}

/** The parts that a choice lacks of the nearest one that passes; undefined where it must be another one. */
function toMissing(sent: readonly Part[], news: readonly (readonly Part[])[]): readonly (Part | undefined)[] {
  const toLack = (asked: readonly Part[]): readonly Part[] => asked.filter((part) => !sent.includes(part));
  const scopes = news.map(toLack).find((lack) => lack.every(isScope));
  const larger = news.find((asked) => isWithin(withoutScopes(sent), asked));
  return scopes ?? (larger ? withoutScopes(toLack(larger)) : [undefined]);
}

function isScope(part: Part): boolean {
  return part.startsWith('the scope ');
}

function withoutScopes(parts: readonly Part[]): readonly Part[] {
  return parts.filter((part) => !isScope(part));
}

function toChoicesText(choices: readonly (readonly Part[])[]): string {
  return isOpen(choices) ? 'none' : choices.map((choice) => withoutScopes(choice).join(' and ')).join(' or ');
}

function toParts(choice: readonly Credential[]): readonly Part[] {
  return choice.flatMap((credential) => {
    const text = toCredentialText(credential);
    return [text, ...credential.scopes.map((scope) => `the scope \`${scope}\` of ${text}`)];
  });
}

/** `a bearer token`, `the header x-api-key` */
function toCredentialText({ scheme, name }: Credential): string {
  const { type, scheme: word = '', in: place = '', name: sent = '', openIdConnectUrl: url = '', flows } = scheme;
  switch (type) {
    case 'http':
      return /^bearer$/i.test(String(word)) ? 'a bearer token' : `the HTTP scheme ${String(word).toLowerCase()}`;
    case 'apiKey':
      return `the ${String(place)} ${place === 'header' ? String(sent).toLowerCase() : String(sent)}`;
    case 'openIdConnect':
      return `a token of ${String(url)}`;
    case 'oauth2':
      return `an OAuth token of the flow ${Object.keys(Object(flows)).toSorted().join(' or ')}`;
    default:
      return `the credential ${name}`;
  }
}

type Guarded = Pick<ApiOperation, 'facts'>;

/** Compares the guards that name no credential, by the errors that they declare, or else by their names. */
export function compareGuards(old: Guarded, now: Guarded): readonly ContractChange[] {
  if (old.facts === undefined || now.facts === undefined) return [];
  const [olds, news] = [toSteps(old), toSteps(now)];
  const toText = (steps: typeof olds): string => steps.map(({ name }) => name).join(', ') || 'public';
  const texts = { at: 'guards', before: toText(olds), after: toText(news) };
  const [before, after] = [toUnnamed(olds), toUnnamed(news)];
  const come = [...after].flatMap(([id, name]) => (before.has(id) ? [] : [name]));
  const gone = [...before].flatMap(([id, name]) => (after.has(id) ? [] : [name]));
  const added = olds.length === 0 ? 'first-guard-added' : 'guard-added';
  return [
    ...come.map((name) => toChange(added, { ...texts, message: `guard \`${name}\` was added` })),
    ...gone.map((name) => toChange('guard-removed', { ...texts, message: `guard \`${name}\` was removed` })),
  ];
}

function toSteps({ facts }: Guarded) {
  return [...(facts?.guards ?? []), ...(facts?.inputGuards ?? []).map((step) => ({ ...step, credentials: undefined }))];
}

/** The names of the guards by what they are known by; of several that are alike, each for itself. */
function toUnnamed(steps: ReturnType<typeof toSteps>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, errors, credentials } of steps) {
    if (credentials !== undefined) continue;
    let id = errors.map(toErrorsText).toSorted().join() || name;
    while (names.has(id)) id += ' again';
    names.set(id, name);
  }
  return names;
}

/** `404 NotFound` */
export function toErrorsText({ status, name }: ErrorName): string {
  return `${status} ${name}`;
}
