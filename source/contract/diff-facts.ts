import { type DeclaredError, findDeclaredErrors, toErrorText } from '../manifest/declared-error.ts';
import type { ManifestCapability } from '../manifest/manifest.ts';
import { type ContractChange, everybody } from './contract-change.ts';

/** What differs beside the schemas: route, intent, guards, errors, timeout, deprecation, and how agents see it. */
export function diffFacts(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  return [
    ...diffRoute(before, after),
    ...diffIntent(before, after),
    ...diffGuards(before, after),
    ...diffErrors(before, after),
    ...diffTimeout(before, after),
    ...diffDeprecation(before, after),
    ...diffTool(before, after),
  ];
}

function diffRoute(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const old = `${before.method} ${before.path}`;
  const now = `${after.method} ${after.path}`;
  if (old === now) return [];
  const change = { at: 'route', message: `route changed from ${old} to ${now}`, before: old, after: now } as const;
  const shape = (route: string): string => route.replaceAll(/:[^/]+/g, ':');
  if (shape(old) === shape(now)) {
    return [
      { ...change, class: 'safe', reason: 'the same requests match; a parameter has another name', audience: ['http'] },
    ];
  }
  return [
    {
      ...change,
      class: 'breaking',
      reason: 'requests to the old route are not answered any more; clients must be generated anew',
      audience: ['http', 'client'],
    },
  ];
}

function diffIntent(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  if (before.intent === after.intent) return [];
  return [
    {
      class: 'risky',
      at: 'intent',
      message: `intent changed from \`${before.intent}\` to \`${after.intent}\``,
      reason: 'agents decide by the intent whether a call needs consent, and caches whether it may be repeated',
      audience: ['agents'],
      before: before.intent,
      after: after.intent,
    },
  ];
}

function diffGuards(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const old = toGuardNames(before);
  const now = toGuardNames(after);
  const texts = { at: 'guards', before: toList(old), after: toList(now), audience: everybody } as const;
  const added = withoutEach(now, old).map((name): ContractChange => {
    const isFirst = old.length === 0;
    const reason = isFirst
      ? 'it was public; calls without what the guard asks for are refused'
      : 'some calls that passed may be refused';
    return { ...texts, class: isFirst ? 'breaking' : 'risky', message: `guard \`${name}\` was added`, reason };
  });
  const removed = withoutEach(old, now).map((name): ContractChange => {
    const reason = now.length === 0 ? 'it is public now' : 'it is open to more callers';
    return { ...texts, class: 'risky', message: `guard \`${name}\` was removed`, reason };
  });
  return [...added, ...removed];
}

function toGuardNames({ guards, inputGuards }: ManifestCapability): readonly string[] {
  return [...guards, ...inputGuards].map(({ name }) => name);
}

function toList(names: readonly string[]): string {
  return names.length === 0 ? 'public' : names.join(', ');
}

/** `names` without as many of each as `others` has: two guards of one name are two. */
function withoutEach(names: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return names.filter((name) => {
    const index = left.indexOf(name);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/** What a guard brings or takes with it is said with the guard. */
function diffErrors(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const old = findDeclaredErrors(before);
  const now = findDeclaredErrors(after);
  const texts = { at: 'errors', before: toErrorList(old), after: toErrorList(now), audience: everybody } as const;
  const added = withoutErrors(findDeclaredErrors(withSharedGuards(after, before)), old).map(
    (error): ContractChange => ({
      ...texts,
      class: 'risky',
      message: `error \`${error}\` was added`,
      reason: 'callers may get an error that they are not ready for',
    }),
  );
  const removed = withoutErrors(findDeclaredErrors(withSharedGuards(before, after)), now).map(
    (error): ContractChange => ({
      ...texts,
      class: 'safe',
      message: `error \`${error}\` was removed`,
      reason: 'callers were ready for more',
    }),
  );
  return [...added, ...removed];
}

function withSharedGuards(capability: ManifestCapability, other: ManifestCapability): ManifestCapability {
  const names = new Set(toGuardNames(other));
  const { guards, inputGuards } = capability;
  return {
    ...capability,
    guards: guards.filter(({ name }) => names.has(name)),
    inputGuards: inputGuards.filter(({ name }) => names.has(name)),
  };
}

function withoutErrors(errors: readonly DeclaredError[], others: readonly DeclaredError[]): readonly string[] {
  const known = new Set([...ofEveryCapability, ...others.map(toErrorText)]);
  return errors.map(toErrorText).filter((text) => !known.has(text));
}

/** Any call may end in these, whether they are declared or not. */
const ofEveryCapability = ['500 Internal', '504 Timeout'] as const;

function toErrorList(errors: readonly DeclaredError[]): string {
  return errors.length === 0 ? 'none' : errors.map(toErrorText).join(', ');
}

function diffTimeout(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  if (before.timeoutMs === after.timeoutMs) return [];
  const old = toTimeout(before.timeoutMs);
  const now = toTimeout(after.timeoutMs);
  const isShorter = (after.timeoutMs ?? DEFAULT_TIMEOUT_MS) < (before.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const reason = isShorter ? 'slow calls that were answered may end in 504' : 'callers may wait longer';
  return [
    {
      class: isShorter ? 'risky' : 'safe',
      at: 'timeout',
      message: `timeout changed from ${old} to ${now}`,
      reason,
      audience: everybody,
      before: old,
      after: now,
    },
  ];
}

/** Of a server that sets none. */
const DEFAULT_TIMEOUT_MS = 30_000;

function toTimeout(timeoutMs: number | undefined): string {
  return timeoutMs === undefined ? "the server's" : `${timeoutMs} ms`;
}

function diffDeprecation(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const isDeprecated = after.deprecation !== undefined;
  if (isDeprecated === (before.deprecation !== undefined)) return [];
  return [
    {
      class: 'safe',
      at: 'deprecation',
      message: isDeprecated ? 'became deprecated' : 'is not deprecated any more',
      reason: 'it is answered as before',
      audience: everybody,
    },
  ];
}

function diffTool(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const old = toToolName(before);
  const now = toToolName(after);
  if (old === now) return [];
  const texts = { at: 'tool', audience: ['agents'], before: old ?? 'hidden', after: now ?? 'hidden' } as const;
  if (old === undefined)
    return [{ ...texts, class: 'safe', message: 'agents see it now', reason: 'nobody called it as a tool' }];
  if (now === undefined)
    return [{ ...texts, class: 'breaking', message: 'agents do not see it any more', reason: 'the tool is gone' }];
  return [
    {
      ...texts,
      class: 'breaking',
      message: `tool \`${old}\` is called \`${now}\` now`,
      reason: 'agents call a tool by its name',
    },
  ];
}

/** The name that agents call it by; undefined where it is hidden from them. */
function toToolName({ tool, key }: ManifestCapability): string | undefined {
  return tool === false ? undefined : (tool?.name ?? key.replaceAll('.', '_'));
}
