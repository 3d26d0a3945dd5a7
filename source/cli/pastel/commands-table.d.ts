/** Made by the build from the folder `commands/`; see `scripts/bundle-tool.mjs`. */
declare module 'capix:commands' {
  export interface CommandModule {
    readonly default?: unknown;
    readonly description?: string;
    readonly alias?: string;
    readonly isDefault?: boolean;
    readonly options?: unknown;
    readonly args?: unknown;
  }

  /** The modules by path without extension: `{'list': …, 'generate/index': …}`. */
  export const modules: Readonly<Record<string, CommandModule>>;
}
