import * as nodeModule from 'node:module';
import { withoutExperimentWarning } from '../../patches/without-experiment-warning.ts';
import { toStripError } from './compile-error.ts';

/** Of Node 22.13 and later. */
const { stripTypeScriptTypes } = nodeModule as {
  readonly stripTypeScriptTypes?: (text: string) => string;
};

export const canStripTypes = stripTypeScriptTypes !== undefined;

/** TypeScript without its types, by Node's own means: what is left stands where it stood. @throws CompileError */
export function stripTypes(file: string, text: string): string {
  try {
    return withoutExperimentWarning(() => stripTypeScriptTypes?.(text) ?? text);
  } catch (error) {
    throw toStripError(file, text, error as Error);
  }
}
