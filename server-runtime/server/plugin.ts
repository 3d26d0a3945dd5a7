import type { ContextRequest } from '../capability/context.ts';
import type { GroupTree } from '../capability/group-tree.ts';
import { expectKnownOptions, type OptionNames } from '../errors/expect-known-options.ts';
import { type Hooks, hookNames } from './hooks.ts';

const PLUGIN: unique symbol = Symbol.for('capix.plugin') as never;

export interface PluginOptions {
  /** Names the plugin in errors. @default `plugin <position>` */
  readonly name?: string;
  /** Added to the application's. A key that exists already is an error at start. */
  readonly capabilities?: GroupTree;
  /** Adds to the context, after the builder and the plugins before. A key that exists already is an error. */
  readonly context?: (request: ContextRequest, ctx: object) => object | undefined | Promise<object | undefined>;
  readonly hooks?: Hooks;
}

/** Capabilities, context and hooks that belong together. */
export interface Plugin extends PluginOptions {
  readonly [PLUGIN]: true;
}

const pluginOptionNames: OptionNames<PluginOptions> = { name: true, capabilities: true, context: true, hooks: true };

/**
 * Defines a plugin for `createServer({plugins: […]})`.
 *
 * @throws TypeError for an option that there is not
 */
export function definePlugin(options: PluginOptions): Plugin {
  expectKnownOptions('definePlugin', options, pluginOptionNames);
  if (options.hooks !== undefined) expectKnownOptions('definePlugin({hooks})', options.hooks, hookNames);
  return Object.freeze({ ...options, [PLUGIN]: true as const });
}
