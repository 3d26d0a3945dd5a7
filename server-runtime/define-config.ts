/** The severity of a rule, alone or with the reason for it, which reports repeat. */
export type RuleChoice<Severity extends string> = Severity | { readonly severity: Severity; readonly reason: string };

/** A finding that the project accepts. It applies where everything it names matches; `*` is any text. */
export interface AcceptedFinding {
  /** The id of a rule: `'output-*'`. @default every rule */
  readonly rule?: string | undefined;
  /** The key of a capability: `'users.*'`. @default every capability */
  readonly capability?: string | undefined;
  /** The place of a difference: `'input.email'`. @default every place */
  readonly at?: string | undefined;
  /** The reason, in a few words, which reports repeat. */
  readonly reason: string;
}

/** The decisions of a project about the rules of `capix check` or `capix diff`. */
export interface RulesConfig<Severity extends string> {
  /** The severity of a rule, by its id; `'off'` hides its findings. @default the severity of each rule */
  readonly rules?: Readonly<Record<string, RuleChoice<Severity>>> | undefined;
  readonly ignore?: readonly AcceptedFinding[] | undefined;
}

export interface EnvironmentConfig {
  readonly url: string;
  /** Headers of every call. `$NAME` and `${NAME}` stand for environment variables. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The way in which `capix dev` starts the server. Options of the command line take precedence. */
export interface DevConfig {
  /** The file that starts the server, relative to the project. @default `src/server.ts`, or `.mts`, `.cts`, `.js` … */
  readonly entry?: string | undefined;
  /** The port in place of the server's own; 0 takes a free one. */
  readonly port?: number | undefined;
  /** The address to listen at. @default this machine only */
  readonly host?: string | undefined;
  /** The hosts that requests may name, besides this machine's; `.example.org` is every name below it. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Whether the server is stopped before its new code starts. @default where it turns out that it must be */
  readonly stopFirst?: boolean | undefined;
  /** The time that a server has to end, seconds. @default 3 */
  readonly stopGrace?: number | undefined;
  /** Patterns of files that the code reads without importing them. A change of one restarts. */
  readonly watch?: readonly string[] | undefined;
  /** Options of Node for the process of the server, such as `'--max-old-space-size=4096'`. */
  readonly nodeOptions?: readonly string[] | undefined;
}

/** The settings of a project for the `capix` command. Every key is optional. */
export interface CapixConfig {
  /** The capabilities file, relative to the project. @default `src/capabilities.ts`, or `.mts`, `.cts`, `.js` … */
  readonly capabilities?: string | undefined;
  /** Env files of the project, the later first in precedence; they may be missing. @default `.env` and its kin */
  readonly envFiles?: readonly string[] | undefined;
  /** The servers that `capix call` can send calls to, by name. */
  readonly environments?: Readonly<Record<string, EnvironmentConfig>> | undefined;
  /** The way in which `capix dev` starts the server. */
  readonly dev?: DevConfig | undefined;
  /** The decisions about the problems that `capix check` finds. */
  readonly check?: RulesConfig<'error' | 'warning' | 'off'> | undefined;
  /** The decisions about the differences that `capix diff` finds. */
  readonly diff?: RulesConfig<'breaking' | 'risky' | 'safe' | 'off'> | undefined;
}

/** Types the settings of a project, in `capix.config.ts` (or `.mts`, `.js` …) beside its package.json. */
export function defineConfig(config: CapixConfig): CapixConfig {
  return config;
}
