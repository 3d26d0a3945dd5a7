import path, { join, type PlatformPath } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CapabilityDefinition } from '../../server-runtime/capability/definition.ts';
import type { SourceFacts } from '../document/facts.ts';
import { packageRoot } from '../package-root.ts';
import { isInside } from '../system/paths.ts';
import { toProjectPath } from './project.ts';

/** A place in a source file, whose path is absolute. */
export type SourcePlace = SourceFacts;

interface FindSourcePlaceOptions {
  /** Absolute path of the project. Packages of the same workspace, which lie beside it, count as its own code. */
  readonly root: string;
  /** Absolute path of a folder whose code is nobody's own. */
  readonly except?: string | undefined;
}

/** The place in the project that a stack comes from, also one inside a line of JSON; undefined for none. */
export function findErrorPlace(text: string | undefined, root: string): SourcePlace | undefined {
  return findSourcePlace(text?.replaceAll(String.raw`\n`, '\n'), {
    root,
    except: join(packageRoot(), 'dist'),
  });
}

/** The innermost frame of a stack that lies in the project's own code; undefined where none does. */
export function findSourcePlace(
  stack: string | undefined,
  { root, except }: FindSourcePlaceOptions,
  flavour: PlatformPath = path,
): SourcePlace | undefined {
  for (const line of stack?.split('\n') ?? []) {
    const place = matchFrame(line, flavour);
    if (
      place === undefined ||
      /(?:^|[\\/])node_modules[\\/]/.test(flavour.relative(root, place.file))
    )
      continue;
    if (except === undefined || !isInside(place.file, except, flavour)) return place;
  }
  return undefined;
}

/** `    at name (/path/file.ts:3:9)` or `    at file:///path/file.ts:3:9`. */
function matchFrame(line: string, flavour: PlatformPath): SourcePlace | undefined {
  const match = /^\s+at (?:.*\()?(?:async )?(.+?):(\d+):(\d+)\)?$/.exec(line);
  if (match?.[1] === undefined) return undefined;
  const windows = flavour.sep === '\\';
  const file = match[1].startsWith('file://') ? fileURLToPath(match[1], { windows }) : match[1];
  return flavour.isAbsolute(file)
    ? { file, line: Number(match[2]), column: Number(match[3]) }
    : undefined;
}

const capixCode = `${pathToFileURL(join(packageRoot(), 'dist')).href}/`;

/** Whether a line is a stack frame of capix: of the library, rarely at fault, or of what observes the server. */
export function isCapixFrame(line: string): boolean {
  return /^\s+at /.test(line) && line.includes(capixCode);
}

/** Whether a line is a frame of capix or of Node's inside, which say nothing of the code that threw. */
export function isForeignFrame(line: string): boolean {
  return isCapixFrame(line) || /^\s+at .*\(?node:internal\//.test(line);
}

const known = new WeakMap<
  object,
  { readonly root: string; readonly source: SourceFacts | undefined }
>();

/**
 * The place of a declaration in the project at `root`, an absolute path; undefined where none of its code declared it.
 * Looked for once: Node formats a stack, and maps it to the source, when it is first read.
 */
export function toDeclarationSource(
  declaredAt: CapabilityDefinition['declaredAt'],
  root: string,
): SourceFacts | undefined {
  if (declaredAt === undefined) return undefined;
  const before = known.get(declaredAt);
  if (before?.root === root) return before.source;
  const place = findSourcePlace(declaredAt.stack, { root });
  const source = place && { ...place, file: toProjectPath(place.file, root) };
  known.set(declaredAt, { root, source });
  return source;
}
