import { expect, it } from 'vitest';
import type { ContractDiff } from '../../../source/contract/contract-change.ts';
import { type RuleId, rules, toChange } from '../../../source/contract/rules.ts';
import { toSemver } from '../../../source/diff/diff-totals.ts';

function toStep(rule: RuleId): string {
  const change = toChange(rule, { at: 'here', message: 'something' });
  const diff: ContractDiff = { added: [], removed: [], changed: [], server: [change], class: change.class };
  return toSemver(diff);
}

it('is a patch only where a response says less, or something is only announced', () => {
  const ids = Object.keys(rules) as RuleId[];
  const safe = ids.filter((id) => rules[id].class === 'safe');
  expect(safe.filter((id) => toStep(id) === 'patch').toSorted()).toEqual([
    'deprecation-changed',
    'error-removed',
    'input-field-deprecated',
    'job-settings-changed',
    'output-field-deprecated',
    'output-format-narrower',
    'output-limit-narrower',
    'output-type-narrower',
    'output-values-narrower',
    'response-status-removed',
    'response-type-removed',
    'sunset-later',
  ]);
  expect(ids.filter((id) => rules[id].class === 'risky').map(toStep)).not.toContain('patch');
  expect(new Set(ids.filter((id) => rules[id].class === 'breaking').map(toStep))).toEqual(new Set(['major']));
});
