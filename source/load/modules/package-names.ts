import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withoutDeprecations } from '../../patches/without-deprecations.ts';
import type { UserCodeFacts } from '../bundle/user-code-plugin.ts';

/**
 * Finds the packages that written code can import by their names, as the project does: what instruments packages, such as OpenTelemetry, knows them by
 * the name that an import says.
 */
export interface PackageNames {
  /** The names by the URLs of their files; a file that Node would not find by the name has none. `imports` are what the project imports. */
  readonly find: (imports: UserCodeFacts['imports']) => Promise<ReadonlyMap<string, string>>;
}

/** A package or a file in it. capix and zod are imported ahead, by their URLs. */
const PACKAGE_NAME = /^(?!(?:capix|zod)(?:\/|$))(?:@[^/]+\/)?[^./#@\\:][^\\:]*$/;
/** The conditions of an ES import in Node: Node 20 does not know the last. A name counts where it leads to the same file with both. */
const CONDITIONS = [new Set(['node', 'import']), new Set(['node', 'import', 'module-sync'])];

/** `folder`: absolute path of the folder that the code will lie in, or near; it need not be there. */
export function createPackageNames(folder: string): PackageNames {
  const base = pathToFileURL(join(folder, 'index.js'));
  const known = new Map<string, boolean>();
  return {
    find: async (imports) => {
      const names = new Map<string, string>();
      for (const [name, targets] of imports) {
        if (!PACKAGE_NAME.test(name)) continue;
        for (const url of [...targets].map(toUrl)) {
          const key = `${name} ${url}`;
          const isName = known.get(key) ?? (await leadsTo(name, url, base));
          known.set(key, isName);
          if (isName) names.set(url, name);
        }
      }
      return names;
    },
  };
}

const toUrl = (target: string): string => (isAbsolute(target) ? pathToFileURL(target).href : target);

async function leadsTo(name: string, url: string, base: URL): Promise<boolean> {
  // Most projects of three files import no package: what takes milliseconds to load is loaded for the first.
  const { moduleResolve } = await import('import-meta-resolve');
  const leads = (conditions: Set<string>): boolean => moduleResolve(name, base, conditions).href === url;
  try {
    // Node warns of what a package does when it imports it; a second warning would come from the tool, over its screen.
    return withoutDeprecations(() => CONDITIONS.every(leads));
  } catch {
    return false;
  }
}
