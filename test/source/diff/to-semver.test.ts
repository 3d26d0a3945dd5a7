import { expect, it } from 'vitest';
import {
  type ContractDiff,
  type RuleId,
  rules,
  toChange,
} from '../../../source/contract/changes/contract-change.ts';
import { toSemver } from '../../../source/diff/diff-totals.ts';

function toStep(rule: RuleId, found?: 'safe'): string {
  const change = toChange(rule, { at: 'here', message: 'something', class: found });
  const diff: ContractDiff = {
    added: [],
    removed: [],
    changed: [],
    server: [change],
    class: change.class,
  };
  return toSemver(diff);
}

it('is a patch only where a response says less, or something is only announced', () => {
  const ids = Object.keys(rules) as RuleId[];
  const safe = ids.filter((id) => rules[id].class === 'safe');
  expect(safe.filter((id) => toStep(id) === 'patch').toSorted()).toEqual([
    'deprecation-changed',
    'output-limit-narrower',
    'output-type-narrower',
    'output-values-narrower',
    'response-status-removed',
  ]);
  const lighter = [
    'job-settings-changed',
    'response-type-changed',
    'sunset-changed',
    'timeout-changed',
  ] as const;
  expect(lighter.map((id) => toStep(id, 'safe'))).toEqual(['patch', 'patch', 'patch', 'minor']);
  expect(ids.filter((id) => rules[id].class === 'risky').map((id) => toStep(id))).not.toContain(
    'patch',
  );
  expect(
    new Set(ids.filter((id) => rules[id].class === 'breaking').map((id) => toStep(id))),
  ).toEqual(new Set(['major']));
});
