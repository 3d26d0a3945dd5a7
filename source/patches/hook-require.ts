import Module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface Requiring {
  readonly resolve: (
    specifier: string,
    context: never,
    next: (specifier: string) => never,
  ) => unknown;
  readonly load: (url: string, context: never, next: () => never) => unknown;
}

interface Loading {
  readonly filename: string;
  readonly _compile: (code: string, file: string) => void;
}

/** The parts of Node's loader of CommonJS that have no documentation. */
interface Loader {
  _resolveFilename: (
    specifier: string,
    parent: Loading | undefined,
    ...rest: readonly unknown[]
  ) => string;
  readonly _extensions: Record<string, (loading: Loading, file: string) => void>;
}

/** Lets `require` of Node 20 find and compile what hooks do, which it does not ask. `toCommonJs` compiles. */
export function hookRequire(
  { resolve, load }: Requiring,
  toCommonJs: (file: string) => string,
): void {
  // The types of Node leave these members out.
  const loader = Module as unknown as Loader;
  const find = loader._resolveFilename;
  loader._resolveFilename = (specifier, parent, ...rest) => {
    const next = (name: string) => ({ url: toUrl(find.call(loader, name, parent, ...rest)) });
    const context = {
      parentURL: parent?.filename && pathToFileURL(parent.filename).href,
      conditions: ['require'],
    };
    // The hooks are written for the loader of ECMAScript modules; of its contexts they read what is here.
    const { url } = resolve(specifier, context as never, next as never) as { readonly url: string };
    return url.startsWith('file:') ? fileURLToPath(url) : url;
  };
  for (const end of ['.ts', '.tsx', '.cts', '.mts', '.jsx']) {
    loader._extensions[end] = (loading, file) => {
      const context = { conditions: ['require'] };
      const next = () => ({ format: 'module' });
      const { format, source = '' } = load(toUrl(file), context as never, next as never) as Loaded;
      loading._compile(format === 'commonjs' ? source : toCommonJs(file), file);
    };
  }
}

interface Loaded {
  readonly format: string;
  readonly source?: string;
}

function toUrl(name: string): string {
  return /^(?:[/\\]|[a-z]:\\)/i.test(name) ? pathToFileURL(name).href : name;
}
