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

/** The finding that an entry of an ignore list is compared with. */
export interface FindingPlace {
  readonly rule: string;
  /** The keys of the capabilities concerned. */
  readonly keys: readonly string[];
  readonly at?: string | undefined;
}

/** The entry by which a finding is ignored; undefined where none is. */
export function findIgnored(
  { rule, keys, at = '' }: FindingPlace,
  { ignore }: RuleSettings,
): IgnoredFinding | undefined {
  return ignore.find(
    (entry) =>
      fits(entry.rule, rule) &&
      (entry.capability === undefined || keys.some((key) => fits(entry.capability, key))) &&
      fits(entry.at, at),
  );
}

function fits(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || pattern === text) return true;
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
