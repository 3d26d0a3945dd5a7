import module, { syncBuiltinESMExports } from 'node:module';

/** The parts of Node's loader of CommonJS that instrumentation replaces. */
interface Loader {
  readonly _load: unknown;
  readonly _resolveFilename: unknown;
  readonly _extensions: Readonly<Record<string, unknown>>;
  readonly prototype: { readonly require: unknown };
}

type Register = (...parameters: readonly unknown[]) => unknown;

/** Gives whether anybody has hooked the loading of modules since: what is loaded after that may be another code. */
export function watchModuleHooks(): () => boolean {
  // The types of Node leave these members out, or are older than `registerHooks`.
  const loader = module as unknown as Loader & Record<'register' | 'registerHooks', Register>;
  const toParts = (): readonly unknown[] => [
    loader._load,
    loader._resolveFilename,
    loader._extensions['.js'],
    loader.prototype.require,
  ];
  const before = toParts();
  let isHooked = false;
  for (const name of ['register', 'registerHooks'] as const) {
    const original = loader[name] as Register | undefined;
    if (original === undefined) continue;
    loader[name] = (...parameters) => {
      isHooked = true;
      return Reflect.apply(original, module, parameters);
    };
  }
  syncBuiltinESMExports();
  return () => isHooked || toParts().some((part, index) => part !== before[index]);
}
