export function bundleTool(options: {
  /** Folder of `cli.ts` and `commands/`; absolute. */
  readonly baseDir: string;
  readonly outDir: string;
  /** Relative to `baseDir`. */
  readonly entryPoints: readonly string[];
  readonly library?: Library;
  /** @default false */
  readonly sourcemap?: boolean;
}): Promise<void>;

export function bundleLauncher(options: {
  readonly baseDir: string;
  readonly outDir: string;
  readonly sourcemap?: boolean;
}): Promise<void>;

export interface Library {
  /** The part that a module is in, by its path inside `server-runtime`. */
  readonly parts: ReadonlyMap<string, string>;
  /** Is given the modules that are in none. */
  readonly more: Set<string>;
}
