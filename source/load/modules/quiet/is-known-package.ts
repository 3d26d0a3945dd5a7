import { isBuiltin } from 'node:module';

/** Whether an import leads to Node, zod or capix: it does nothing but declare, and the process that waits has it. `target`: a URL, a path or a name. */
export function isKnownPackage(target: string): boolean {
  return isBuiltin(target) || isZod(target) || isCapix(target);
}

export function isZod(target: string): boolean {
  return /[\\/]node_modules[\\/]zod[\\/][^-]*$/.test(target);
}

function isCapix(target: string): boolean {
  return /[\\/]server-runtime[\\/]index\.js$/.test(target);
}
