import type { ManifestOperation } from '../../manifest/manifest.ts';
import type { ContractChange } from '../contract-change.ts';
import type { RuleId } from '../rules/contract-rules.ts';
import { toChange } from '../rules/to-change.ts';

/** Whether it is to go away, and when. */
export function diffDeprecation(
  { deprecation: old }: ManifestOperation,
  { deprecation: now }: ManifestOperation,
): readonly ContractChange[] {
  if (now === undefined)
    return old === undefined
      ? []
      : [toChange('deprecation-removed', { at: 'deprecation', message: 'is not deprecated any more' })];
  const deprecated =
    old === undefined ? [toChange('deprecation-added', { at: 'deprecation', message: 'became deprecated' })] : [];
  return [...deprecated, ...diffSunset(old?.sunset, now.sunset)];
}

function diffSunset(old: string | undefined, now: string | undefined): readonly ContractChange[] {
  if (old === now) return [];
  const texts = { at: 'sunset', before: old ?? 'none', after: now ?? 'none' };
  const [rule, message] = toSunset(old, now);
  return [toChange(rule, { ...texts, message })];
}

function toSunset(old: string | undefined, now: string | undefined): readonly [RuleId, string] {
  if (old === undefined) return ['sunset-added', `goes away on ${now}`];
  if (now === undefined) return ['sunset-removed', `has no date any more on which it goes away, it was ${old}`];
  // What is not a date may be any day.
  const isLater = Date.parse(now) > Date.parse(old);
  return [isLater ? 'sunset-later' : 'sunset-earlier', `goes away on ${now}, it was ${old}`];
}
