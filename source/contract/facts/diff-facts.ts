import type { ManifestCapability } from '../../manifest/manifest.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';
import { diffAnswers } from './diff-answers.ts';
import { diffCacheControl } from './diff-cache-control.ts';
import { diffDeprecation } from './diff-deprecation.ts';
import { diffErrors } from './diff-errors.ts';
import { diffGuards } from './diff-guards.ts';
import { diffLimits } from './diff-limits.ts';
import { diffRequest } from './diff-request.ts';
import { diffTool } from './diff-tool.ts';
import { toRouteShape } from './route-shape.ts';

/** Compares everything beside the schemas: route, parts of the request, intent, guards, errors, limits, deprecation, and how agents see it. */
export function diffFacts(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  return [
    ...diffRoute(before, after),
    ...diffRequest(before, after),
    ...diffIntent(before, after),
    ...diffGuards(before, after),
    ...diffErrors(before, after),
    ...diffAnswers(before, after),
    ...diffLimits(before, after),
    ...diffCacheControl(before, after, 'cacheControl'),
    ...diffDeprecation(before, after),
    ...diffTool(before, after),
  ];
}

function diffRoute(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const old = `${before.method} ${before.path}`;
  const now = `${after.method} ${after.path}`;
  if (old === now) return [];
  const change = { at: 'route', message: `route changed from ${old} to ${now}`, before: old, after: now } as const;
  if (toRouteShape(before) === toRouteShape(after)) return [toChange('path-parameter-renamed', change)];
  const isMethod = toRouteShape({ ...before, method: after.method }) === toRouteShape(after);
  return [toChange(isMethod ? 'method-changed' : 'route-changed', change)];
}

function diffIntent(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  if (before.intent === after.intent) return [];
  const message = `intent changed from \`${before.intent}\` to \`${after.intent}\``;
  return [toChange('intent-changed', { at: 'intent', message, before: before.intent, after: after.intent })];
}
