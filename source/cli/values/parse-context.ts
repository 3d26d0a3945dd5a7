import { usageError } from '../errors/cli-error.ts';

/**
 * The object of the option `--context`.
 *
 * @throws CliError `Usage` for what is not a JSON object
 */
export function parseContext(text: string): Readonly<Record<string, unknown>> {
  let context: unknown;
  try {
    context = JSON.parse(text);
  } catch {
    context = undefined;
  }
  if (typeof context !== 'object' || context === null || Array.isArray(context))
    throw usageError("option '--context': write it as a JSON object");
  return context as Readonly<Record<string, unknown>>;
}
