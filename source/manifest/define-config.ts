/** The decisions of a project about the rules of `capix check` or `capix diff`. Reports repeat the reasons. */
export interface RulesConfig<Severity extends string> {
  /** The severity of a rule, by its id; `'off'` hides its findings. @default the severity of each rule */
  readonly rules?:
    | Readonly<Record<string, Severity | { readonly severity: Severity; readonly reason: string }>>
    | undefined;
  /** Findings that the project accepts. One applies where everything it names matches; `*` is any text. */
  readonly ignore?:
    | readonly {
        /** The id of a rule: `'output-*'`. @default every rule */
        readonly rule?: string | undefined;
        /** The key of a capability: `'users.*'`. @default every capability */
        readonly capability?: string | undefined;
        /** The place of a difference: `'input.email'`. @default every place */
        readonly at?: string | undefined;
        readonly reason: string;
      }[]
    | undefined;
}

/** The settings of `capix dev`. */
export interface DevConfig {
  /** @default `src/server.ts`, or `.mts`, `.cts`, `.js` … */
  readonly entry?: string | undefined;
  /** @default the server's own port */
  readonly port?: number | undefined;
  /** @default this machine only */
  readonly host?: string | undefined;
  /** Names of hosts that requests may be for, besides those of this machine. @default none */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Whether the server is stopped before its new code starts. @default where it turns out that it must be */
  readonly stopFirst?: boolean | undefined;
  /** The time that a server has to end, seconds. @default 3 */
  readonly stopGrace?: number | undefined;
  /** Patterns of files that the code reads without importing them. A change of one restarts. */
  readonly watch?: readonly string[] | undefined;
  /** Options of Node for the server's process: `['--max-old-space-size=512']`. @default none */
  readonly nodeOptions?: readonly string[] | undefined;
  /** Whether the process that waits for the next save loads the packages of the last version. @default true */
  readonly preload?: boolean | undefined;
}

/** The settings of a project for the `capix` command. Every key is optional. */
export interface CapixConfig {
  /** @default `src/capabilities.ts`, or `.mts`, `.cts`, `.js` … */
  readonly capabilities?: string | undefined;
  /** Env files of the project, the later first in precedence; they may be missing. @default `.env` and its kin */
  readonly envFiles?: readonly string[] | undefined;
  /** The servers that `capix call` can send calls to, by name. `${NAME}` in a header is an environment variable. */
  readonly environments?:
    | Readonly<
        Record<
          string,
          { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined }
        >
      >
    | undefined;
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
