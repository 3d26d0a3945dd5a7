import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { CompileError } from '../hooks/compile-error.ts';
import { installHooks } from '../hooks/install-hooks.ts';

// A process that reads one file of settings, its argument, and writes what is in it to descriptor 3.

export interface SettingsRead {
  readonly value?: unknown;
  /** `place`: where it cannot be compiled. */
  readonly error?: { readonly message: string; readonly place?: string | undefined };
  /** Absolute paths. */
  readonly read: readonly string[];
}

const RESULT = 3;
const hooks = installHooks();

async function read(): Promise<Omit<SettingsRead, 'read'>> {
  try {
    const settings = (await import(pathToFileURL(process.argv[2] ?? '').href)) as {
      readonly default?: unknown;
    };
    return { value: settings.default };
  } catch (error) {
    const { message = String(error), place } = Object(error) as Partial<CompileError>;
    return { error: { message, place } };
  }
}

const result = await read();
writeFileSync(RESULT, JSON.stringify({ ...result, read: hooks.files() } satisfies SettingsRead));
