import { createCliError } from '../../cli/errors/cli-error.ts';
import { contractRules } from '../../contract/rules/contract-rules.ts';
import type { RuleSettings } from '../../manifest/settings/rule-settings.ts';

/**
 * Gives the decisions about differences back.
 *
 * @throws CliError `InvalidSettings` where they name a rule that does not exist
 */
export function expectRules(settings: RuleSettings): RuleSettings {
  const unknown = Object.keys(settings.rules).find((rule) => !Object.hasOwn(contractRules, rule));
  if (unknown === undefined) return settings;
  const file = settings.rules[unknown]?.file ?? 'capix.json';
  const place = `, diff.rules.${unknown}`;
  throw createCliError('InvalidSettings', { file, place, reason: 'there is no rule of this id' });
}
