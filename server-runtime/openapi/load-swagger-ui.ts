/** The installed package swagger-ui-dist: its version, and its files when they are asked for. */
export interface SwaggerUi {
  readonly version: string;
  /** The text of a file of it, read at the first call: `swagger-ui.css`. */
  readonly read: (name: string) => string;
}

/** Finds swagger-ui-dist beside this package, or in the project of the process; undefined without its files. */
export async function loadSwaggerUi(): Promise<SwaggerUi | undefined> {
  try {
    const [{ createRequire }, { readFileSync }, { dirname, join }] = await Promise.all([
      import('node:module'),
      import('node:fs'),
      import('node:path'),
    ]);
    const file = [import.meta.url, join(process.cwd(), 'server.js')]
      .map((from) => findFile(createRequire(from), 'swagger-ui-dist/package.json'))
      .find((found) => found !== undefined);
    if (file === undefined) return undefined;
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
    const read = once((name) => readFileSync(join(dirname(file), name), 'utf8'));
    return { version, read };
  } catch {
    return undefined;
  }
}

function findFile(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

function once(read: (name: string) => string): (name: string) => string {
  const texts = new Map<string, string>();
  return (name) => {
    const text = texts.get(name) ?? read(name);
    texts.set(name, text);
    return text;
  };
}
