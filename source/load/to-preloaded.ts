import { fileURLToPath } from 'node:url';
import { isCompiled, isOfPackage } from './hooks/own-file.ts';

/** Names of packages that are there for what they do when they are loaded, which has its place among the code. */
const ACTS =
  /^(?:auto|config|dotenv|env|init(?:ialize)?|instrument(?:ation)?|preload|register|setup|tracing)$/i;

/** The packages that may be loaded before the code, of those that it imports: URLs by their names. */
export function toPreloaded(packages: ReadonlyMap<string, string>): readonly string[] {
  return [...packages].flatMap(([name, url]) => {
    const isTried = name === 'capix' || name === 'zod';
    if (isTried || name.split(/[/._-]/).some((word) => ACTS.test(word)) || !url.startsWith('file:'))
      return [];
    const file = fileURLToPath(url);
    return isOfPackage(file) && !isCompiled(file) ? [url] : [];
  });
}
