import { stripControl } from '../terminal/strip-control.ts';
import { type CatalogueEntry, type CliErrorCode, cliErrors, exitCodes } from './cli-errors.ts';

export interface CliErrorDetails {
  /** The next step, where more is known than the catalogue says: ``Did you mean `items.list`?`` */
  readonly hint?: string | undefined;
  /** Lines shown between message and hint, as a code frame. Not part of the JSON. */
  readonly frame?: string | undefined;
  readonly cause?: unknown;
}

export interface CliErrorOptions extends CliErrorDetails {
  readonly code: CliErrorCode;
  readonly message: string;
}

/**
 * Ends a command with a message that its user can act on. Every other thrown value is a defect, reported as
 * `Unexpected`; `CAPIX_DEBUG=1` shows its stack.
 */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;
  readonly hint: string | undefined;
  readonly frame: string | undefined;
  readonly exitCode: number;

  constructor({ code, message, hint, frame, cause }: CliErrorOptions) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.frame = frame;
    const entry: CatalogueEntry = cliErrors[code];
    this.exitCode = entry.exitCode ?? exitCodes.failed;
  }
}

export function createCliError<Code extends CliErrorCode>(
  code: Code,
  values: CliErrorValues<Code>,
  { hint, frame, cause }: CliErrorDetails = {},
): CliError {
  const text = toCliErrorText(code, values);
  return new CliError({ ...text, hint: hint ?? text.hint, frame, cause });
}

export function usageError(problem: string, hint?: string): CliError {
  return createCliError('Usage', { problem }, { hint });
}

/** The values that the message of an error is filled in with, by the names in its braces. */
export type CliErrorValues<Code extends CliErrorCode> =
  NamesIn<(typeof cliErrors)[Code]['message']> extends infer Names
    ? { readonly [Name in Names & string]: string | number }
    : never;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Message and hint of an error, with its values, which lose their escape sequences: they may be anybody's text. */
export function toCliErrorText<Code extends CliErrorCode>(
  code: Code,
  values: CliErrorValues<Code>,
): { readonly code: Code; readonly message: string; readonly hint: string | undefined } {
  const { message, hint }: CatalogueEntry = cliErrors[code];
  const texts: Readonly<Record<string, string | number>> = values;
  return {
    code,
    message: message.replaceAll(/\{(\w+)\}/g, (_, name: string) => toPart(`${texts[name]}`)),
    hint,
  };
}

/** A text of others as part of a message. Further lines of it have a mark, so that none is taken for one of ours. */
function toPart(text: string): string {
  return stripControl(text).replaceAll(/\n(?=.)/g, '\n  | ');
}
