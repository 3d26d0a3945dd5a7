/** The decisions of a project about the rules of `capix diff` or `capix check`, in its settings. */
export interface RuleSettings {
  /** The severity of the findings of a rule, by its id; `off` leaves them out. */
  readonly rules: Readonly<Record<string, RuleSetting>>;
  /** Findings that are known and accepted. */
  readonly ignore: readonly IgnoredFinding[];
}

export interface RuleSetting {
  /** `breaking`, `risky`, `safe` of a difference; `error`, `warning` of a problem; `off`. */
  readonly severity: string;
  readonly reason?: string | undefined;
  /** The file of settings that says it, relative to the project. */
  readonly file?: string | undefined;
}

export interface IgnoredFinding {
  /** The id of a rule, with `*` for any letters: `output-*`. @default every rule */
  readonly rule?: string | undefined;
  /** The key of a capability, with `*` for any letters: `users.*`. @default every capability */
  readonly capability?: string | undefined;
  /** The place of a difference, with `*` for any letters: `input.email`. @default every place */
  readonly at?: string | undefined;
  readonly reason: string;
  /** The file of settings that says it, relative to the project. */
  readonly file?: string | undefined;
}

export const noSettings: RuleSettings = { rules: {}, ignore: [] };

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

export function findDecision({ rule, keys, at = '' }: Finding, { rules, ignore }: RuleSettings): Decision {
  const setting = rules[rule];
  const entry = ignore.find(
    (each) =>
      fits(each.rule, rule) &&
      (each.capability === undefined || keys.some((key) => fits(each.capability, key))) &&
      fits(each.at, at),
  );
  const off = setting?.severity === 'off' ? (setting.reason ?? 'the rule is off') : undefined;
  return { severity: setting?.severity, reason: entry?.reason ?? off };
}

function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || pattern === text) return true;
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
