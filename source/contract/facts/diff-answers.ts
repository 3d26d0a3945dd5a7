import type { ManifestAnswer, ManifestCapability } from '../../manifest/manifest.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';
import { diffSchemas } from '../schemas/diff-schemas.ts';

/** Compares the answers beside the first schema, which is the output: statuses, content types, headers, and the schemas of other answers. */
export function diffAnswers(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const [olds, news] = [toAnswers(before), toAnswers(after)];
  const gone = olds.filter(({ status }) => !news.some((answer) => answer.status === status));
  const come = news.filter(({ status }) => !olds.some((answer) => answer.status === status));
  const pairs = olds.flatMap((old) => {
    const now = news.find(({ status }) => status === old.status);
    return now === undefined ? [] : [[old, now] as const];
  });
  // The first answer is what most callers get: it has another status.
  const [first, heir] = [gone[0], come[0]];
  const isMoved = first !== undefined && first === olds[0] && heir !== undefined && heir === news[0];
  const moved = isMoved ? [[first, heir] as const] : [];
  return [
    ...moved.map(([old, now]) => toStatusChange('answer-status-changed', old, now)),
    ...gone.slice(moved.length).map((old) => toStatusChange('answer-status-removed', old)),
    ...come.slice(moved.length).map((now) => toStatusChange('answer-status-added', undefined, now)),
    ...[...pairs, ...moved].flatMap(([old, now]) => [
      ...diffContent(old, now),
      ...diffHeaders(old, now),
      ...(old === olds[0] && now === news[0] ? [] : diffAnswerSchemas(old, now)),
    ]),
  ];
}

/** Without a declaration, 200 with any data. */
function toAnswers({ answers }: ManifestCapability): readonly ManifestAnswer[] {
  return answers.length > 0 ? answers : [{ status: 200, kind: 'data', contentTypes: [], headers: {} }];
}

type StatusRule = 'answer-status-added' | 'answer-status-changed' | 'answer-status-removed';

function toStatusChange(rule: StatusRule, old?: ManifestAnswer, now?: ManifestAnswer): ContractChange {
  const [before, after] = [`${old?.status ?? 'none'}`, `${now?.status ?? 'none'}`];
  const message =
    old === undefined
      ? `may be answered with ${after}`
      : now === undefined
        ? `is not answered with ${before} any more`
        : `is answered with ${after}, it was ${before}`;
  return toChange(rule, { at: `answers.${now?.status ?? before}`, message, before, after });
}

function diffContent(old: ManifestAnswer, now: ManifestAnswer): readonly ContractChange[] {
  const [before, after] = [toContent(old), toContent(now)];
  if (before === after) return [];
  const message = `${now.status} is sent as ${after}, it was ${before}`;
  return [toChange('answer-content-changed', { at: `answers.${now.status}`, message, before, after })];
}

function toContent({ kind, contentTypes }: ManifestAnswer): string {
  return contentTypes.length === 0 ? kind : `${kind} (${contentTypes.join(', ')})`;
}

function diffHeaders(old: ManifestAnswer, now: ManifestAnswer): readonly ContractChange[] {
  const names = new Set([...Object.keys(old.headers), ...Object.keys(now.headers)]);
  return [...names].flatMap((name): readonly ContractChange[] => {
    const [before, after] = [old.headers[name], now.headers[name]];
    const at = `answers.${now.status}.headers.${name}`;
    if (before === undefined) return [toChange('answer-header-added', { at, message: `header \`${name}\` was added` })];
    if (after === undefined)
      return [toChange('answer-header-removed', { at, message: `header \`${name}\` was removed` })];
    return diffSchemas({ before: before.json, after: after.json, direction: 'output' }).map((change) => ({
      ...change,
      at,
    }));
  });
}

/** Compares an answer beside the first one. */
function diffAnswerSchemas(old: ManifestAnswer, now: ManifestAnswer): readonly ContractChange[] {
  const changes = diffSchemas({ before: old.schema?.json, after: now.schema?.json, direction: 'output' });
  return changes.map((change) => ({ ...change, at: change.at.replace(/^output/, `answers.${now.status}`) }));
}
