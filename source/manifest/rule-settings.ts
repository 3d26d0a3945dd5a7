import { fitsPattern } from '../values/pattern.ts';
import type { RulesConfig } from './define-config.ts';

/** The decisions of a project about the rules of `capix diff` or `capix check`, in its settings. */
export interface RuleSettings extends RulesConfig<string> {
  /** The file of settings that says them, relative to the project. */
  readonly file?: string | undefined;
}

/** The decision of a project about a finding: another severity, or why it is accepted. */
interface Decision {
  readonly severity?: string | undefined;
  readonly reason?: string | undefined;
}

interface Finding {
  readonly rule: string;
  /** The keys of the capabilities concerned. */
  readonly keys: readonly string[];
  readonly at?: string | undefined;
}

export function findDecision(
  { rule, keys, at = '' }: Finding,
  { rules = {}, ignore = [] }: RuleSettings,
): Decision {
  const configured = rules[rule];
  const setting =
    typeof configured === 'string'
      ? { severity: configured, reason: 'the rule is off' }
      : configured;
  const entry = ignore.find(
    (each) =>
      fits(each.rule, rule) &&
      (each.capability === undefined || keys.some((key) => fits(each.capability, key))) &&
      fits(each.at, at),
  );
  const off = setting?.severity === 'off' ? setting.reason : undefined;
  return { severity: setting?.severity, reason: entry?.reason ?? off };
}

function fits(pattern: string | undefined, text: string): boolean {
  return pattern === undefined || pattern === text || fitsPattern(text, pattern);
}
